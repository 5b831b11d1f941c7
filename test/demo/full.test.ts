import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '@lode/scripts/server'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../sim/query.ts'
import { claims, claimsOfPartners } from './claims.ts'
import { figuresOf } from './figures.ts'
import { type Ground, openGround } from './ground.ts'
import { fullSize } from './lives.ts'
import { testPlausibleFigures } from './plausible.ts'
import { sightsOf } from './sights.ts'
import { makeWorld } from './world.ts'

const WITHIN_SECONDS = 180
const SECRETS = { rolePassword: 'of-this-run-only', nonceSecret: 'a secret of this run only, long enough' }

describe('the whole demo', { timeout: 300_000 }, () => {
  let folder: string
  let ground: Ground
  let seconds: number
  let end: Date
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-demo-'))
    chmodSync(folder, 0o755)
    const began = performance.now()
    ground = await openGround(folder, SECRETS, new Date(Date.now() - fullSize.days * 86_400_000))
    await makeWorld({ ...ground, size: fullSize, say: (line) => console.log(line) })
    seconds = (performance.now() - began) / 1_000
    end = new Date()
  }, 1_800_000)
  afterAll(async () => {
    await ground.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('ends now, and shows all that it says', async () => {
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
    const seen = await sightsOf(origin, fullSize).finally(() => api.stop())
    expect([...claims, ...claimsOfPartners].filter((claim) => !seen.has(claim))).toEqual([])
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
