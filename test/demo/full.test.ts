import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '@lode/scripts/server'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../sim/query.ts'
import { type DemoDatabases, startDemoDatabases } from './demo-databases.ts'
import { expectedPartnerStates, expectedStates } from './expected-states.ts'
import { figuresOf } from './figures.ts'
import { fullSize } from './member-scripts.ts'
import { testPlausibleFigures } from './plausible-figures.ts'
import { readSeenStates } from './seen-states.ts'
import { makeWorld } from './world.ts'

const WITHIN_SECONDS = 180
const SECRETS = { rolePassword: 'of-this-run-only', nonceSecret: 'a secret of this run only, long enough' }

describe('the whole demo', { timeout: 300_000 }, () => {
  let folder: string
  let ground: DemoDatabases
  let seconds: number
  let end: Date
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-demo-'))
    chmodSync(folder, 0o755)
    const began = performance.now()
    ground = await startDemoDatabases(folder, SECRETS, new Date(Date.now() - fullSize.days * 86_400_000))
    await makeWorld({ ...ground, size: fullSize, log: (line) => console.log(line) })
    seconds = (performance.now() - began) / 1_000
    end = new Date()
  }, 1_800_000)
  afterAll(async () => {
    await ground.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('ends at the present time, and shows every expected state', async () => {
    const { settings } = ground
    const figures = await figuresOf(settings.ownerUrl)
    console.log(`made in ${seconds.toFixed(0)} s: ${JSON.stringify(figures)}`)

    expect(await query(settings.ownerUrl, 'select extract(epoch from shift)::int as shift from lode.clock')).toEqual([
      { shift: 0 },
    ])
    const chain = createPublicClient({ transport: http(settings.chain.rpcUrl) })
    const { timestamp } = await chain.getBlock()
    expect(Math.abs(end.getTime() / 1_000 - Number(timestamp))).toBeLessThan(60)

    const api = await startApi(settings)
    const origin = `http://127.0.0.1:${settings.apiPort}`
    const seen = await readSeenStates(origin, fullSize).finally(() => api.stop())
    expect([...expectedStates, ...expectedPartnerStates].filter((claim) => !seen.has(claim))).toEqual([])
    expect(figures.members).toBe(fullSize.members)
    expect(figures.days).toBeGreaterThanOrEqual(fullSize.days - 1)
    expect(figures.activated).toBeGreaterThan(500)
    expect(figures.pledgers).toBeGreaterThan(100)
    expect(figures.quietDays).toBeGreaterThan(3)
  })

  describe('is plausible:', () => {
    testPlausibleFigures(() => ({ settings: ground.settings, size: fullSize, end }), { isLong: true })
  })

  it('is made within three minutes', () => {
    expect(seconds).toBeLessThan(WITHIN_SECONDS)
  })
})
