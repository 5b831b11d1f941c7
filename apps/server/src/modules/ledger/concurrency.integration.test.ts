import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountNumber } from './account-number.ts'
import type { KindName } from './chart.ts'
import { post } from './post.ts'
import { newChainLogKey, openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import { deposit, transferRequest } from './testing/transactions.ts'
import type { Outcome, Transaction } from './transaction.ts'

const CONNECTIONS = 16
let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger({ connections: CONNECTIONS })
})
afterAll(() => ledger.close())

const countOutcomes = (outcomes: readonly Outcome['outcome'][]) =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(outcomes, (outcome) => outcome),
      ([outcome, all]) => [outcome, all.length],
    ),
  )

async function sumBalances(owner: bigint, kind: KindName): Promise<bigint> {
  const from = accountNumber(owner, kind, 'USDT')
  const { rows } = await sql<{ balance: string }>`
    select coalesce(sum(balance), 0) as balance from lode.ledger_account
    where id between ${from} and ${from + 63n}`.execute(ledger.owner)
  return BigInt(rows[0]?.balance ?? 0)
}

/** Posts as many batches at once as there are connections: who waits five seconds for a connection is refused. */
async function postAtOnce(role: TestLedger['api'], batches: readonly Transaction[][]): Promise<Outcome['outcome'][]> {
  const left = [...batches]
  const outcomes: Outcome[] = []
  const postOneByOne = async () => {
    for (let batch = left.shift(); batch; batch = left.shift()) outcomes.push(...(await post(role, batch)))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, postOneByOne))
  return outcomes.map(({ outcome }) => outcome)
}

describe('one key, posted eight times at once', () => {
  it('has one effect', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [member = 0n] = await ledger.members(1)
      const arrived = deposit('USDT', member, usdt(100))
      const outcomes = await postAtOnce(
        ledger.worker,
        Array.from({ length: 8 }, () => [arrived]),
      )
      expect(countOutcomes(outcomes)).toEqual({ posted: 1, repeated: 7 })
      expect(await sumBalances(member, 'available')).toBe(100n)
    }
  })

  it('has one effect even if each call posts other moves on other accounts', async () => {
    for (let round = 0; round < 10; round += 1) {
      const members = await ledger.members(8)
      const key = newChainLogKey()
      const outcomes = await Promise.all(
        members.map(async (member, index): Promise<Outcome['outcome']> => {
          const arrived = deposit('USDT', member, usdt(100 + index), key)
          for (;;) {
            try {
              return (await post(ledger.worker, [arrived]))[0]?.outcome ?? 'undone'
            } catch (error) {
              // The one retryable error: another transaction used the key after this one had looked it up.
              if (!(error instanceof Error && /another call used one of these keys/.test(error.message))) throw error
            }
          }
        }),
      )
      expect(countOutcomes(outcomes)).toEqual({ posted: 1, conflict: 7 })
      const credited = await Promise.all(members.map((member) => sumBalances(member, 'available')))
      expect(credited.filter((balance) => balance > 0n)).toHaveLength(1)
    }
  })
})

describe('a thousand debits of one balance at once', () => {
  it('succeed exactly as often as the balance allows, and never leave it negative', { timeout: 120_000 }, async () => {
    const [member = 0n] = await ledger.members(1)
    await post(ledger.worker, [deposit('USDT', member, usdt(10_007))])
    const outcomes = await postAtOnce(
      ledger.api,
      Array.from({ length: 1_000 }, (_, index) => [transferRequest('USDT', member, usdt(31), `r${index}`)]),
    )
    expect(countOutcomes(outcomes)).toEqual({ posted: 322, insufficient: 678 })
    expect([await sumBalances(member, 'available'), await sumBalances(member, 'frozenOut')]).toEqual([25n, 9_982n])
    const { rows } = await sql<{ least: string }>`
      select min(balance_after) as least from lode.posting where member = ${member}`.execute(ledger.owner)
    expect(rows).toEqual([{ least: '0' }].map(() => ({ least: expect.stringMatching(/^\d+$/) })))
  })
})

describe('a striped account that is credited and debited at once', () => {
  it('never pays more than it received, and loses nothing', { timeout: 120_000 }, async () => {
    const [member = 0n] = await ledger.members(1)
    const income = (): Transaction => ({
      type: 'promotionPaid',
      key: newChainLogKey(),
      moves: [{ asset: 'USDT', amount: usdt(7), from: 'custody:vault', to: 'pool:liquidity' }],
    })
    const pay = (index: number): Transaction => ({
      type: 'treasuryPay',
      key: `treasury:${index}`,
      moves: [{ asset: 'USDT', amount: usdt(11), from: 'pool:liquidity', to: 'pool:paying' }],
    })
    const outcomes = await postAtOnce(ledger.worker, [
      ...Array.from({ length: 300 }, (_, index) => [[income()], [pay(index)]]).flat(),
      [deposit('USDT', member, usdt(1))],
    ])
    const { posted = 0, insufficient = 0 } = countOutcomes(outcomes)
    expect(posted + insufficient).toBe(601)
    const paidOut = BigInt(300 - insufficient) * 11n
    expect(await sumBalances(0n, 'pool:liquidity')).toBe(2_100n - paidOut)
    expect(await sumBalances(0n, 'pool:paying')).toBe(paidOut)
    // One payment takes the rest from all stripes that still hold something.
    const rest: Transaction = {
      type: 'treasuryPay',
      key: 'treasury:rest',
      moves: [{ asset: 'USDT', amount: usdt(2_100n - paidOut), from: 'pool:liquidity', to: 'pool:paying' }],
    }
    expect(await post(ledger.worker, [rest])).toMatchObject([{ outcome: 'posted' }])
  })
})

describe('concurrent random batches on the same few accounts', () => {
  it('wait for each other and never deadlock, even if they create accounts', { timeout: 180_000 }, async () => {
    const members = await ledger.members(12)
    let number = 0
    const random = (bound: number) => Math.floor(Math.random() * bound)
    const somebody = () => members[random(members.length)] ?? 0n
    const promotion = (): Transaction => {
      number += 1
      return {
        type: 'promotionPaid',
        key: newChainLogKey(),
        moves: [
          { asset: 'USDT', amount: usdt(5), from: 'custody:vault', to: 'pool:mining' },
          ...Array.from({ length: 1 + random(4) }, (_, index) => ({
            ...({ asset: 'USDT', amount: usdt(1 + random(9)), from: 'custody:vault' } as const),
            to: {
              ...({ kind: 'available', member: somebody() } as const),
              line: { type: 'upLevelReward', operation: `${number}.${index}` } as const,
            },
          })),
        ],
      }
    }
    const drain = (): Transaction => {
      number += 1
      return {
        type: 'treasuryPay',
        key: `treasury:drain:${number}`,
        moves: [{ asset: 'USDT', amount: usdt(20), from: 'pool:mining', to: 'pool:paying' }],
      }
    }
    const batches = Array.from({ length: 400 }, () => {
      const size = 1 + random(8)
      return Array.from({ length: size }, () => (random(10) === 0 ? drain() : promotion()))
    })
    const outcomes = await postAtOnce(ledger.worker, batches)
    expect(outcomes).toHaveLength(batches.flat().length)
    const { rows } = await sql<{ sum: string }>`select sum(balance) as sum from lode.ledger_account`.execute(
      ledger.owner,
    )
    expect(rows).toEqual([{ sum: '0' }])
  })
})
