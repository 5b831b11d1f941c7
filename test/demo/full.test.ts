import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '@lode/scripts/server'
import { createPublicClient, http } from 'viem'
import { expect, it } from 'vitest'
import { query } from '../sim/query.ts'
import { claims, claimsOfPartners } from './claims.ts'
import { figuresOf } from './figures.ts'
import { openGround } from './ground.ts'
import { fullSize } from './lives.ts'
import { sightsOf } from './sights.ts'
import { makeWorld } from './world.ts'

const WITHIN_SECONDS = 180
const SECRETS = { rolePassword: 'of-this-run-only', nonceSecret: 'a secret of this run only, long enough' }

it('the whole demo is made within three minutes, ends now, and shows all that it says', {
  timeout: 1_800_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-demo-'))
  chmodSync(folder, 0o755)
  const began = performance.now()
  const ground = await openGround(folder, SECRETS, new Date(Date.now() - fullSize.days * 86_400_000))
  try {
    const { settings } = ground
    await makeWorld({ ...ground, size: fullSize, say: (line) => console.log(line) })
    const seconds = (performance.now() - began) / 1_000
    const figures = await figuresOf(settings.ownerUrl)
    console.log(`made in ${seconds.toFixed(0)} s: ${JSON.stringify(figures)}`)

    expect(await query(settings.ownerUrl, 'select extract(epoch from shift)::int as shift from lode.clock')).toEqual([
      { shift: 0 },
    ])
    const chain = createPublicClient({ transport: http(settings.chain.rpcUrl) })
    const { timestamp } = await chain.getBlock()
    expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(60)

    const api = await startApi(settings)
    const origin = `http://127.0.0.1:${settings.apiPort}`
    const seen = await sightsOf(origin, fullSize).finally(() => api.stop())
    expect([...claims, ...claimsOfPartners].filter((claim) => !seen.has(claim))).toEqual([])
    expect(figures.members).toBe(fullSize.members)
    expect(figures.days).toBeGreaterThanOrEqual(fullSize.days - 1)
    expect(figures.activated).toBeGreaterThan(500)
    expect(figures.pledgers).toBeGreaterThan(100)
    expect(figures.quietDays).toBeGreaterThan(3)
    expect(seconds).toBeLessThan(WITHIN_SECONDS)
  } finally {
    await ground.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
