import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoDatabases, startDemoDatabases } from './demo-databases.ts'
import type { DemoSize } from './member-scripts.ts'
import { makeWorld } from './world.ts'

/**
 * Long enough for the shortest pledge to end. With this seed, one of the few members gets more rewards than its level
 * allows.
 */
export const SMALL: DemoSize = { seed: 149, members: 60, days: 36 }
export const END = new Date('2026-06-15T15:00:00Z')
const SECRETS = { rolePassword: 'of-this-run-only', nonceSecret: 'a secret of this run only, long enough' }

export type SmallWorld = { readonly settings: DemoDatabases['settings']; close(): Promise<void> }

/** Makes a small demo in a folder of its own. */
export async function makeSmallWorld(): Promise<SmallWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-demo-'))
  chmodSync(folder, 0o755)
  const databases = await startDemoDatabases(folder, SECRETS, new Date(END.getTime() - SMALL.days * 86_400_000))
  const close = async () => {
    await databases.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await makeWorld({ ...databases, size: SMALL, end: END, log: () => {} })
  } catch (error) {
    await close()
    throw error
  }
  return { settings: databases.settings, close }
}
