import { randomUUID } from 'node:crypto'
import { addDays, units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeOf, post, type Transaction } from '../ledger/index.ts'
import { BTN, openPledgeFixture, type PledgeFixture } from './testing/pledge-fixture.ts'

/**
 * A pool that takes deposits, promotions and pledges but gets no revenue pays no dividend, whatever calls are made in
 * whatever order. Only funding itself is left out: BTC that comes through the vault for dividends.
 */

const SEQUENCES = Number(process.env.PONZI_SEQUENCES ?? 2_000)
const LANES = 8
const MEMBERS = 8
/** The numbers of these ledger accounts. */
const [DIVIDEND_FUNDED, DIVIDEND_PAYABLE] = [
  codeOf('account.dividend:funded.BTC'),
  codeOf('account.dividend:payable.BTC'),
]

let fixture: PledgeFixture
beforeAll(async () => {
  fixture = await openPledgeFixture({ members: MEMBERS, clients: LANES })
  for (let member = 1; member <= MEMBERS; member += 1)
    for (const asset of ['USDT', 'BTN', 'BTC'] as const) await fixture.credit(member, asset, 10n ** 9n * BTN)
  await fixture.setTime(addDays(fixture.firstDay, 1), 9)
  await readChart()
}, 120_000)
afterAll(() => fixture.end())

const any = (bound: number): number => Math.floor(Math.random() * bound)
const one = <T>(list: readonly T[]): T => list[any(list.length)] as T

const SYMBOLS = ['BTC', 'BTN', 'USDT'] as const
const OF_MEMBERS = ['available', 'frozenOut', 'frozenOrder', 'pledged', 'agentUnclaimed']
const LOGGED = ['available', 'frozenOut', 'frozenOrder']

type Rule = { name: string; keys: string; debits: string[]; credits: string[]; logs: string[] }
let rules: readonly Rule[]
let kinds: readonly string[]

/** Reads the chart from the database. */
async function readChart(): Promise<void> {
  const { rows } = await sql<Rule>`
    select type.name, type.key_space as keys,
           (select array_agg(name) from lode.ledger_kind where code = any (type.debits)) as debits,
           (select array_agg(name) from lode.ledger_kind where code = any (type.credits)) as credits,
           coalesce((select array_agg(name) from lode.ledger_log_type where code = any (type.logs)), '{}') as logs
    from lode.ledger_type type`.execute(fixture.owner)
  rules = rows
  kinds = Array.from(new Set(rows.flatMap(({ debits, credits }) => [...debits, ...credits])))
}

/** A transaction of any type between any accounts. Half of them follow the chart. Funding is never among them. */
function inventTransaction(): { transaction: Transaction; by: 'api' | 'worker' } {
  const rule = one(rules)
  const asItShould = any(2) === 0
  const asset = one(SYMBOLS)
  const member = BigInt(1 + any(MEMBERS))
  const operation = randomUUID()
  const account = (kind: string) => {
    if (kind === 'suspense:address') return { kind, address: `0x${'12'.repeat(20)}` }
    if (!OF_MEMBERS.includes(kind)) return kind
    const line = { type: one(rule.logs.length > 0 ? rule.logs : ['transferIn']), operation }
    return LOGGED.includes(kind) ? { kind, member, line } : { kind, member }
  }
  const from = one(asItShould ? rule.debits : kinds)
  const to = one(asItShould ? rule.credits : [...kinds, 'dividend:funded', 'dividend:funded', 'dividend:payable'])
  if (rule.name === 'dividendFunding' && from === 'custody:vault') return inventTransaction()
  const key = rule.keys === 'member' ? { member, key: operation } : { key: `${rule.keys}:31337:${operation}:0` }
  const moves = [{ asset, amount: units(asset, BigInt(1 + any(1_000))), from: account(from), to: account(to) }]
  const transaction = { type: rule.name, ...key, moves } as unknown as Transaction
  return { transaction, by: one(['api', 'worker'] as const) }
}

/** Calls that are too early or not allowed are refused. The test expects such refusals. */
const ignoreErrors = async (doing: Promise<unknown>): Promise<void> => {
  await doing.catch((error: unknown) => {
    if (!(error instanceof Error)) throw error
  })
}

let today = 1
const calls: readonly (() => Promise<unknown>)[] = [
  ...Array.from({ length: 8 }, () => () => {
    const { transaction, by } = inventTransaction()
    return post(by === 'api' ? fixture.api : fixture.worker, [transaction])
  }),
  () => fixture.credit(1 + any(MEMBERS), one(['USDT', 'BTN', 'BTC'] as const), BigInt(1 + any(10 ** 6))),
  () => {
    // Posts a promotion paid from the balance.
    const member = BigInt(1 + any(MEMBERS))
    const operation = randomUUID()
    const line = { type: 'upLevelByBalance', operation } as const
    const amount = units('USDT', BigInt(100 + any(1_000)))
    const aside = { kind: 'frozenOrder', member, line } as const
    const from = { kind: 'available', member, line } as const
    const to = one(['pool:mining', 'partner:funded', 'pool:operations'] as const)
    return post(fixture.api, [
      { type: 'orderReserve', member, key: `o:${operation}`, moves: [{ asset: 'USDT', amount, from, to: aside }] },
      {
        type: 'promotionByBalance',
        member,
        key: `s:${operation}`,
        moves: [{ asset: 'USDT', amount, from: aside, to }],
      },
    ])
  },
  () => fixture.pledge(1 + any(MEMBERS), BigInt(10_001 + any(10_000)), one([1, 3, 7])),
  async () => {
    const made = await fixture.order(1 + any(MEMBERS), { quantity: 10_001n, termDays: 3, balancePart: 0n })
    if (typeof made !== 'string') await fixture.pay([made], new Date())
  },
  () => fixture.collect(1 + any(MEMBERS), randomUUID()),
  () => fixture.returnPledges(),
  () => {
    today += any(3) === 0 ? 1 : 0
    return fixture.setTime(addDays(fixture.firstDay, today), any(24))
  },
  () => fixture.close(),
  () => {
    const figure = () => sql`${String(BigInt(any(1_000)) * 10n ** BigInt(any(40)))}::numeric`
    const figures = sql.join(Array.from({ length: 9 }, figure))
    return sql`select lode.close_day(${fixture.firstDay + today}, 1, null, ${figures})`.execute(fixture.worker)
  },
  () => {
    const ids = sql`(select array_agg(id) from (select id from lode.pledge order by random() limit 1) as any_one)`
    const last = sql`(select array[max(id)] from lode.ledger_transaction)`
    const paying = sql`select lode.pay_pledges(${ids}, array[${any(1_000)}]::numeric[], ${last}, ${any(2) === 0})`
    return paying.execute(one([fixture.api, fixture.worker]))
  },
]

it(`no dividend without funding, in ${SEQUENCES.toLocaleString('en')} sequences of calls`, {
  timeout: 1_800_000,
}, async () => {
  let left = SEQUENCES
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      for (let call = 2 + any(3); call > 0; call -= 1) await ignoreErrors(one(calls)())
      const { rows } = await sql<{ funded: string; rewards: number }>`
        select (select coalesce(sum(balance), 0) from lode.ledger_account
                where id in (${DIVIDEND_FUNDED}, ${DIVIDEND_PAYABLE})) as funded,
               (select count(*)::int from lode.pledge where paid > 0) as rewards`.execute(fixture.owner)
      expect(rows).toEqual([{ funded: '0', rewards: 0 }])
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const { rows } = await sql<{ lines: number; shared: number; pledges: boolean; days: boolean }>`
    select (select count(*)::int from lode.log_line where type = ${codeOf('log.pointReward')}) as lines,
           (select count(*)::int from lode.production_day where admitted + from_carry + quotient > 0) as shared,
           (select count(*) > 20 from lode.pledge) as pledges, (select count(*) > 20 from lode.production_day) as days`.execute(
    fixture.owner,
  )
  // There were pledges and closed days that could have been paid.
  expect(rows).toEqual([{ lines: 0, shared: 0, pledges: true, days: true }])
})
