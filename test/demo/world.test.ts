import { startApi } from '@lode/scripts/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../sim/query.ts'
import { expectedStates } from './expected-states.ts'
import { type Figures, figuresOf } from './figures.ts'
import { testPlausibleFigures } from './plausible-figures.ts'
import { readSeenStates } from './seen-states.ts'
import { END, makeSmallWorld, SMALL, type SmallWorld } from './small-world.ts'

describe('the demo’s world', { timeout: 900_000 }, () => {
  let world: SmallWorld
  let figures: Figures
  beforeAll(async () => {
    world = await makeSmallWorld()
    figures = await figuresOf(world.settings.ownerUrl)
  }, 900_000)
  afterAll(() => world.close())

  it('shows every kind of order, reward, pledge and log line to an account of the cast, and passes the audit', async () => {
    const { settings } = world
    const api = await startApi(settings)
    try {
      const seen = await readSeenStates(`http://127.0.0.1:${settings.apiPort}`, SMALL)
      expect(expectedStates.filter((claim) => !seen.has(claim))).toEqual([])
    } finally {
      await api.stop()
    }
    expect(figures).toMatchObject({ members: SMALL.members, days: SMALL.days, plans: 3 })
  })

  it('has no posting that two operators could undo, of any type', async () => {
    const rows = await query<{ postings: string; caused: string }>(
      world.settings.ownerUrl,
      `select rule.name as type, count(*) as postings,
              count(*) filter (where (lode.find_reversal(posted.member, posted.key)).problem = 'caused') as caused
       from lode.ledger_type rule join lode.ledger_transaction posted on posted.type = rule.code group by 1`,
    )
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(({ postings, caused }) => postings !== caused)).toEqual([])
  })

  describe('is plausible:', () => {
    testPlausibleFigures(() => ({ settings: world.settings, size: SMALL, end: END }), { isLong: false })
  })
})
