import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, testPool } from '../../testing/api.ts'
import { holdCeremony, type TestOperator } from '../../testing/operators.ts'
import { examplePlanText, publishPlan } from '../../testing/plan.ts'

let api: TestApi
let operators: readonly TestOperator[]
beforeAll(async () => {
  api = await startTestApi()
  const { alice, bob } = await holdCeremony(api.db, testPool())
  operators = [alice, bob]
})
afterAll(() => api.close())

const current = async () => (await api.call('plan/current', {})).body
const history = async (page: { cursor?: string; limit?: string } = {}) => (await api.call('plan/history', page)).body

/** The tests run in order and share one history. */
describe('the public plan', () => {
  it('is refused with plan-none before the first publication', async () => {
    expect(await current()).toMatchObject({ code: 409, reason: 'plan-none', data: null })
    expect((await history()).data).toEqual({ versions: [], next: null })
  })

  it('is shown whole, as it was written, without a session', async () => {
    await publishPlan(api.db, testPool(), operators)
    const { data } = await current()
    expect(data).toMatchObject({ version: 1, coming: [] })
    expect(data.plan).toEqual(JSON.parse(examplePlanText))
    expect(data.startsAt).toBe(data.publishedAt)
    expect((await history()).data.versions).toEqual([
      {
        version: 1,
        publishedAt: data.publishedAt,
        startsAt: data.startsAt,
        standing: 'current',
        leavingHarder: false,
        changes: [],
      },
    ])
  })

  it('lists the coming versions and their changes', async () => {
    const text = examplePlanText.replace('"fee": "1"', '"fee": "2"').replace('"closeHour": 12', '"closeHour": 6')
    await publishPlan(api.db, testPool(), operators, { text })
    const { data } = await current()
    const changes = [
      { path: 'transfer.USDT.fee', before: '1', after: '2' },
      { path: 'closeHour', before: '12', after: '6' },
    ]
    expect(data.version).toBe(1)
    expect(data.coming).toMatchObject([{ version: 2, changes: expect.arrayContaining(changes) }])
    const week = 7 * 86_400_000
    expect(Date.parse(data.coming[0]?.startsAt ?? '') - Date.parse(data.coming[0]?.publishedAt ?? '')).toBe(week)
    expect((await history()).data.versions).toMatchObject([
      { version: 2, standing: 'coming', leavingHarder: true, changes: expect.arrayContaining(changes) },
      { version: 1, standing: 'current' },
    ])
  })

  it('changes when a coming version starts', async () => {
    await api.clock.advance(7 * 86_400 + 1)
    expect((await current()).data).toMatchObject({ version: 2, coming: [], plan: { closeHour: 6 } })
    expect((await history()).data.versions.map(({ standing }) => standing)).toEqual(['current', 'past'])
  })

  it('has a history in pages, with the changes of each version', async () => {
    const longer = JSON.parse(examplePlanText.replace('"closeHour": 12', '"closeHour": 6'))
    longer.levels.push({ ...longer.levels[5], price: '3200', power: 64 })
    await publishPlan(api.db, testPool(), operators, { text: JSON.stringify(longer) })
    const first = (await history({ limit: '1' })).data
    expect(first.versions.map(({ version, standing }) => [version, standing])).toEqual([[3, 'current']])
    expect(first.versions[0]?.changes).toEqual(
      expect.arrayContaining([
        { path: 'transfer.USDT.fee', before: '2', after: '1' },
        { path: 'levels.6.price', before: null, after: '3200' },
      ]),
    )
    expect(first.versions[0]?.changes.map(({ path }) => path)).not.toContain('closeHour')
    const second = (await history({ limit: '2', cursor: first.next ?? '' })).data
    expect([second.versions.map(({ version }) => version), second.next]).toEqual([[2, 1], null])
    expect(await history({ cursor: 'x' })).toMatchObject({ code: 400 })
  })

  it('compares each version with the one before it, the same in the plan and in the history', async () => {
    const dearer = (hour: number, fee: string) =>
      examplePlanText.replace('"closeHour": 12', `"closeHour": ${hour}`).replace('"fee": "1"', `"fee": "${fee}"`)
    await publishPlan(api.db, testPool(), operators, { text: dearer(6, '3') })
    await api.clock.advance(86_400)
    await publishPlan(api.db, testPool(), operators, { text: dearer(7, '3') })
    const { coming } = (await current()).data
    expect(coming.map(({ version }) => version)).toEqual([4, 5])
    expect(coming[1]?.changes).toEqual([{ path: 'closeHour', before: '6', after: '7' }])
    const { versions } = (await history()).data
    for (const one of coming)
      expect(versions.find(({ version }) => version === one.version)?.changes).toEqual(one.changes)

    // Version 6 starts at once and replaces both: it is compared with version 3, which is in force until then.
    await publishPlan(api.db, testPool(), operators, { text: dearer(6, '1') })
    const [newest, , , third] = (await history()).data.versions
    expect([newest?.standing, third?.standing]).toEqual(['current', 'past'])
    expect(newest?.changes.map(({ path }) => path)).not.toContain('transfer.USDT.fee')
    expect(newest?.changes).toContainEqual({ path: 'levels.6.price', before: '3200', after: null })
  })
})
