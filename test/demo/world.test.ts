import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '@lode/scripts/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoDatabases, startDemoDatabases } from './demo-databases.ts'
import { expectedStates } from './expected-states.ts'
import { type Figures, figuresOf } from './figures.ts'
import type { DemoSize } from './member-scripts.ts'
import { testPlausibleFigures } from './plausible-figures.ts'
import { readSeenStates } from './seen-states.ts'
import { makeWorld } from './world.ts'

/**
 * Long enough for the shortest pledge to end. With this seed, one of the few members gets more rewards than its level
 * allows.
 */
const SMALL: DemoSize = { seed: 149, members: 60, days: 36 }
const END = new Date('2026-06-15T15:00:00Z')
const SECRETS = { rolePassword: 'of-this-run-only', nonceSecret: 'a secret of this run only, long enough' }

const opened: { ground: DemoDatabases; folder: string }[] = []
afterAll(async () => {
  for (const { ground, folder } of opened) {
    await ground.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function makeSmallWorld(): Promise<DemoDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-demo-'))
  chmodSync(folder, 0o755)
  const ground = await startDemoDatabases(folder, SECRETS, new Date(END.getTime() - SMALL.days * 86_400_000))
  opened.push({ ground, folder })
  await makeWorld({ ...ground, size: SMALL, end: END, log: () => {} })
  return ground
}

describe('the demo’s world', { timeout: 900_000 }, () => {
  let first: DemoDatabases
  let figures: Figures
  beforeAll(async () => {
    first = await makeSmallWorld()
    figures = await figuresOf(first.settings.ownerUrl)
  }, 900_000)

  it('shows every kind of order, reward, pledge and log line to an account of the cast, and passes the audit', async () => {
    const { settings } = first
    const api = await startApi(settings)
    try {
      const seen = await readSeenStates(`http://127.0.0.1:${settings.apiPort}`, SMALL)
      expect(expectedStates.filter((claim) => !seen.has(claim))).toEqual([])
    } finally {
      await api.stop()
    }
    expect(figures).toMatchObject({ members: SMALL.members, days: SMALL.days, plans: 3 })
  })

  describe('is plausible:', () => {
    testPlausibleFigures(() => ({ settings: first.settings, size: SMALL, end: END }), { isLong: false })
  })

  it('has the same figures from the same seed', async () => {
    const { settings } = await makeSmallWorld()
    expect(await figuresOf(settings.ownerUrl)).toEqual(figures)
  })
})
