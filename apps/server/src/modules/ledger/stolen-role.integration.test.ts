import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from './post.ts'
import { readBalances } from './queries.ts'
import { openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import { deposit } from './testing/transactions.ts'
import type { Transaction } from './transaction.ts'

/** Transactions that the types of the program do not forbid, or that a stolen database role could send without it. */

let ledger: TestLedger
let victim: bigint
let thief: bigint
beforeAll(async () => {
  ledger = await openTestLedger()
  ;[victim = 0n, thief = 0n] = await ledger.members(2)
  await post(ledger.worker, [deposit('USDT', victim, usdt(100))])
})
afterAll(() => ledger.close())

describe('a type of transaction that may credit other members', () => {
  it('may not debit them: the thief cannot settle an order of its own with the money of another member', async () => {
    const line = { type: 'upLevelByBalance', operation: 'o1' } as const
    const frozen = { kind: 'frozenOrder', member: victim, line } as const
    const amount = usdt(60)
    const available = { kind: 'available', member: victim, line } as const
    await post(ledger.api, [
      {
        type: 'orderReserve',
        member: victim,
        key: 'o1',
        moves: [{ asset: 'USDT', amount, from: available, to: frozen }],
      },
    ])
    const reward = { type: 'promotionReward', operation: 'o1' } as const
    const theft = (member: bigint): Transaction => ({
      type: 'promotionByBalance',
      member,
      key: `o1:settle:${member}`,
      moves: [{ asset: 'USDT', amount, from: frozen, to: { kind: 'available', member: thief, line: reward } }],
    })
    await expect(post(ledger.api, [theft(thief)])).rejects.toThrow(
      `promotionByBalance of member ${thief} may not touch member ${victim}`,
    )
    const { USDT } = await readBalances(ledger.owner, victim)
    expect(USDT).toMatchObject({ available: 40n, frozenOrder: 60n })
    expect((await readBalances(ledger.owner, thief)).USDT.available).toBe(0n)
  })
})

describe('the fee of a log line', () => {
  const request = (operation: string, fee: number): Transaction => {
    const line = { type: 'transferOut', operation, fee: usdt(fee) } as const
    const from = { kind: 'available', member: victim, line } as const
    const to = { kind: 'frozenOut', member: victim, line } as const
    const moves = [{ asset: 'USDT', amount: usdt(5), from, to }] as const
    return { type: 'transferRequest', member: victim, key: operation, moves }
  }

  it('is less than the amount, so that the line never says that nothing was taken, or that something came in', async () => {
    for (const fee of [5, 6]) {
      const refused = post(ledger.api, [request(`fee-${fee}`, fee)])
      await expect(refused).rejects.toThrow(`transferRequest cannot begin line fee-${fee}`)
    }
    expect(await post(ledger.api, [request('fee-4', 4)])).toMatchObject([{ outcome: 'posted' }])
  })
})
