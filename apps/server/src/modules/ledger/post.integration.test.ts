import { sql } from 'kysely'
import { getAddress, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountNumber } from './account-number.ts'
import { type KindName, kinds, type TypeName, types } from './chart.ts'
import { chartRows } from './chart-sql.ts'
import { post } from './post.ts'
import { isAirdrop, readTransactions } from './posted-transactions.ts'
import { type RawBatch, rawFastPost, rawPost } from './testing/raw-post.ts'
import { btn, newChainLogKey, openTestLedger, type TestLedger, usdt } from './testing/test-ledger.ts'
import {
  deposit,
  suspenseCredit,
  suspenseDeposit,
  transferPaid,
  transferRelease,
  transferRequest,
} from './testing/transactions.ts'
import type { Transaction } from './transaction.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger()
})
afterAll(() => ledger.close())

const createMember = async (): Promise<bigint> => (await ledger.members(1))[0] ?? 0n
const postForOutcomes = async (role: 'api' | 'worker', batch: Transaction[], together = false) =>
  (await post(ledger[role], batch, { together })).map(({ outcome }) => outcome)

async function readBalance(owner: bigint, kind: KindName, asset: 'USDT' | 'BTN' = 'USDT'): Promise<bigint> {
  const from = accountNumber(owner, kind, asset)
  const { rows } = await sql<{ balance: string }>`
    select coalesce(sum(balance), 0) as balance from lode.ledger_account
    where id between ${from} and ${from + 63n}`.execute(ledger.owner)
  return BigInt(rows[0]?.balance ?? 0)
}

async function createRichMember(amount: number): Promise<bigint> {
  const member = await createMember()
  await post(ledger.worker, [deposit('USDT', member, usdt(amount))])
  return member
}

describe('a deposit', () => {
  it('moves money from custody to the member, once for each chain log', async () => {
    const member = await createMember()
    const arrived = deposit('USDT', member, usdt(100))
    const [first] = await post(ledger.worker, [arrived])
    expect(first).toEqual({ outcome: 'posted', transaction: expect.any(BigInt) })
    expect(await post(ledger.worker, [arrived])).toEqual([{ ...first, outcome: 'repeated' }])
    expect(await readBalance(member, 'available')).toBe(100n)
  })

  it('is refused as a conflict when its log was posted with another amount', async () => {
    const member = await createMember()
    const key = newChainLogKey()
    await post(ledger.worker, [deposit('USDT', member, usdt(100), key)])
    expect(await postForOutcomes('worker', [deposit('USDT', member, usdt(101), key)])).toEqual(['conflict'])
  })

  it('with the same terms counts as repeated, even if its sender registered in between', async () => {
    const member = await createMember()
    const key = newChainLogKey()
    const terms = 'USDT 100 from 0x01'
    const stranger = {
      ...suspenseDeposit('0x0000000000000000000000000000000000000001', usdt(100)),
      key,
      terms,
    } as Transaction
    expect(await postForOutcomes('worker', [stranger])).toEqual(['posted'])
    expect(await postForOutcomes('worker', [{ ...deposit('USDT', member, usdt(100), key), terms }])).toEqual([
      'repeated',
    ])
    expect(await readBalance(member, 'available')).toBe(0n)
  })
})

describe('a frozen amount', () => {
  it('is paid in full', async () => {
    const member = await createRichMember(100)
    expect(await postForOutcomes('api', [transferRequest('USDT', member, usdt(60), 't1')])).toEqual(['posted'])
    expect([await readBalance(member, 'available'), await readBalance(member, 'frozenOut')]).toEqual([40n, 60n])
    expect(await postForOutcomes('worker', [transferPaid('USDT', member, usdt(60), 't1')])).toEqual(['posted'])
    expect([await readBalance(member, 'available'), await readBalance(member, 'frozenOut')]).toEqual([40n, 0n])
  })

  it('is unfrozen in full', async () => {
    const member = await createRichMember(100)
    await post(ledger.api, [transferRequest('USDT', member, usdt(60), 't1')])
    expect(await postForOutcomes('api', [transferRelease('USDT', member, usdt(60), 't1')])).toEqual(['posted'])
    expect([await readBalance(member, 'available'), await readBalance(member, 'frozenOut')]).toEqual([100n, 0n])
  })

  it('ends once: it is not paid after it was unfrozen, nor unfrozen after it was paid', async () => {
    const member = await createRichMember(100)
    // A second transfer keeps enough money frozen, so that only the state of the line can refuse.
    await post(ledger.api, [
      transferRequest('USDT', member, usdt(10), 't1'),
      transferRequest('USDT', member, usdt(10), 't2'),
    ])
    await post(ledger.api, [transferRelease('USDT', member, usdt(10), 't1')])
    await expect(post(ledger.worker, [transferPaid('USDT', member, usdt(10), 't1')])).rejects.toThrow(
      /cannot end line t1/,
    )
    await post(ledger.worker, [transferPaid('USDT', member, usdt(10), 't2')])
    await post(ledger.api, [transferRequest('USDT', member, usdt(10), 't3')])
    await expect(post(ledger.api, [transferRelease('USDT', member, usdt(10), 't2')])).rejects.toThrow(
      /cannot end line t2/,
    )
  })

  it('ends in full: not in part, and not with money that another operation froze', async () => {
    const member = await createRichMember(100)
    await post(ledger.api, [
      transferRequest('USDT', member, usdt(10), 't1'),
      transferRequest('USDT', member, usdt(20), 't2'),
    ])
    await expect(post(ledger.worker, [transferPaid('USDT', member, usdt(9), 't1')])).rejects.toThrow(/cannot end line/)
    await expect(post(ledger.worker, [transferPaid('USDT', member, usdt(20), 't1')])).rejects.toThrow(/cannot end line/)
    await expect(post(ledger.worker, [transferPaid('USDT', member, usdt(10), 't3')])).rejects.toThrow(/cannot end line/)
  })

  it('can be frozen once for an operation', async () => {
    const member = await createRichMember(100)
    const again = { ...transferRequest('USDT', member, usdt(10), 't1'), key: 'another' } as Transaction
    await post(ledger.api, [transferRequest('USDT', member, usdt(10), 't1')])
    await expect(post(ledger.api, [again])).rejects.toThrow(/unique constraint/)
    await expect(
      post(ledger.api, [
        transferRequest('USDT', member, usdt(1), 't2'),
        { ...transferRequest('USDT', member, usdt(1), 't2'), key: 'k' } as Transaction,
      ]),
    ).rejects.toThrow(/cannot begin line/)
  })

  it('can be frozen and settled in one batch, like a promotion paid from the balance', async () => {
    const member = await createRichMember(100)
    const [sponsor = 0n] = await ledger.members(1)
    const line = { type: 'upLevelByBalance', operation: 'o1' } as const
    const outcomes = await postForOutcomes(
      'api',
      [
        {
          type: 'orderReserve',
          member,
          key: 'o1:reserve',
          moves: [
            {
              asset: 'USDT',
              amount: usdt(100),
              from: { kind: 'available', member, line },
              to: { kind: 'frozenOrder', member, line },
            },
          ],
        },
        {
          type: 'promotionByBalance',
          member,
          key: 'o1:settle',
          moves: [
            { asset: 'USDT', amount: usdt(90), from: { kind: 'frozenOrder', member, line }, to: 'pool:mining' },
            {
              asset: 'USDT',
              amount: usdt(10),
              from: { kind: 'frozenOrder', member, line },
              to: { kind: 'available', member: sponsor, line: { type: 'promotionReward', operation: 'o1' } },
            },
          ],
        },
      ],
      true,
    )
    expect(outcomes).toEqual(['posted', 'posted'])
    expect([await readBalance(member, 'frozenOrder'), await readBalance(sponsor, 'available')]).toEqual([0n, 10n])
  })

  it('has its fee in its log line', async () => {
    const member = await createRichMember(100)
    const line = { type: 'transferOut', operation: 'fee', fee: usdt(1) } as const
    await post(ledger.api, [
      {
        type: 'transferRequest',
        member,
        key: 'fee',
        moves: [
          {
            asset: 'USDT',
            amount: usdt(51),
            from: { kind: 'available', member, line },
            to: { kind: 'frozenOut', member, line },
          },
        ],
      },
    ])
    const { rows } = await sql`
      select amount, fee, phase from lode.log_line where member = ${member} and operation = 'fee'`.execute(ledger.owner)
    expect(rows).toEqual([{ amount: '-50', fee: '1', phase: 'confirming' }])
  })
})

describe('a batch', () => {
  it('continues after an insufficient, repeated or conflicting transaction, and checks each against the ones before it', async () => {
    const member = await createRichMember(100)
    const first = transferRequest('USDT', member, usdt(80), 'b1')
    const other = { ...transferRequest('USDT', member, usdt(5), 'b9'), key: first.key } as Transaction
    const later = transferRequest('USDT', member, usdt(30), 'b2')
    expect(
      await postForOutcomes('api', [
        first,
        later,
        first,
        other,
        transferRelease('USDT', member, usdt(80), 'b1'),
        later,
      ]),
    ).toEqual(['posted', 'insufficient', 'repeated', 'conflict', 'posted', 'posted'])
    expect([await readBalance(member, 'available'), await readBalance(member, 'frozenOut')]).toEqual([70n, 30n])
    // The transaction that was not posted left no gap in the account's versions.
    const { rows } = await sql<{ versions: bigint[] }>`
      select array_agg(version order by version) as versions from lode.posting
      where member = ${member} group by account order by account limit 1`.execute(ledger.owner)
    expect(rows[0]?.versions.map(Number)).toEqual([1, 2, 3, 4])
  })

  it('posts all or none when its transactions depend on each other', async () => {
    const member = await createRichMember(100)
    const batch = [transferRequest('USDT', member, usdt(80), 'c1'), transferRequest('USDT', member, usdt(30), 'c2')]
    expect(await postForOutcomes('api', batch, true)).toEqual(['undone', 'insufficient'])
    expect([await readBalance(member, 'available'), await readBalance(member, 'frozenOut')]).toEqual([100n, 0n])
    // The refused batch used no key.
    expect(await postForOutcomes('api', [transferRequest('USDT', member, usdt(80), 'c1')])).toEqual(['posted'])
  })

  it('without transactions does nothing', async () => {
    expect(await post(ledger.api, [])).toEqual([])
  })

  it('leaves no account without a posting', async () => {
    const member = await createMember()
    expect(await postForOutcomes('api', [transferRequest('USDT', member, usdt(1), 'd1')])).toEqual(['insufficient'])
    const stranger = '0x00000000000000000000000000000000000000aa'
    expect(
      await postForOutcomes('worker', [
        {
          type: 'suspenseReturn',
          key: 'suspense:nobody',
          moves: [
            {
              asset: 'USDT',
              amount: usdt(1),
              from: { kind: 'suspense:address', address: stranger },
              to: 'suspense:returning',
            },
          ],
        },
      ]),
    ).toEqual(['insufficient'])
    const { rows } = await sql<{ accounts: number; holders: number }>`
      select (select count(*)::int from lode.ledger_account where version = 0) as accounts,
             (select count(*)::int from lode.suspense_holder where address = ${Buffer.from(stranger.slice(2), 'hex')}) as holders`.execute(
      ledger.owner,
    )
    expect(rows).toEqual([{ accounts: 0, holders: 0 }])
  })
})

describe('a striped account', () => {
  it('pays from several stripes what no single stripe holds', async () => {
    const before = await readBalance(0n, 'pool:operations', 'BTN')
    for (const [index, stripe] of [3n, 17n, 40n].entries()) await fillStripe(stripe, 10 + index)
    const whole = await readBalance(0n, 'pool:operations', 'BTN')
    expect(whole - before).toBe(33n)
    const pay = (amount: bigint, key: string): Transaction => ({
      type: 'treasuryPay',
      key: `treasury:${key}`,
      moves: [{ asset: 'BTN', amount: btn(amount), from: 'pool:operations', to: 'pool:paying' }],
    })
    expect(
      await postForOutcomes('worker', [pay(whole + 1n, 'too-much'), pay(whole, 'all'), pay(1n, 'no-more')]),
    ).toEqual(['insufficient', 'posted', 'insufficient'])
    expect(await readBalance(0n, 'pool:operations', 'BTN')).toBe(0n)
  })

  /** Fills a stripe as another connection would. */
  async function fillStripe(stripe: bigint, amount: number): Promise<void> {
    const id = accountNumber(0n, 'pool:operations', 'BTN') + stripe
    await sql`insert into lode.ledger_account values (${id}, 0, ${amount}, 1)`.execute(ledger.owner)
  }
})

describe('an account that divides its credits', () => {
  const fund = (amount: bigint): Transaction => ({
    type: 'reserveFunding',
    key: newChainLogKey(),
    moves: [{ asset: 'BTN', amount: btn(amount), from: 'custody:vault', to: 'reserve:promotion' }],
  })
  const airdrop = (member: bigint, amount: bigint, operation: string): Transaction => ({
    type: 'airdropForPromotion',
    member,
    key: operation,
    moves: [
      {
        ...({ asset: 'BTN', amount: btn(amount), from: 'reserve:promotion' } as const),
        to: { kind: 'available', member, line: { type: 'airdropForPromotion', operation } },
      },
    ],
  })
  const readStripes = async (): Promise<number[]> => {
    const first = accountNumber(0n, 'reserve:promotion', 'BTN')
    const { rows } = await sql<{ balance: string }>`
      select balance from lode.ledger_account where id between ${first} and ${first + 63n} order by id`.execute(
      ledger.owner,
    )
    return rows.map(({ balance }) => Number(balance))
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

  it('has a part of each credit in each of its 64 rows, also if there is less than one unit for each', async () => {
    expect(await postForOutcomes('worker', [fund(6_410n)])).toEqual(['posted'])
    const stripes = await readStripes()
    expect([stripes.length, sum(stripes), Math.min(...stripes), Math.max(...stripes)]).toEqual([64, 6_410, 100, 101])
    expect(await postForOutcomes('worker', [fund(5n)])).toEqual(['posted'])
    expect(sum(await readStripes())).toBe(6_415)
  })

  it('pays from one row, and from several what no row has', async () => {
    const member = await createMember()
    const before = await readStripes()
    expect(await postForOutcomes('worker', [airdrop(member, 40n, 'one')])).toEqual(['posted'])
    const afterOne = await readStripes()
    expect(afterOne.filter((balance, index) => balance !== before[index])).toHaveLength(1)
    const [several] = await post(ledger.worker, [airdrop(member, 250n, 'several')])
    expect(sum(await readStripes())).toBe(sum(before) - 290)
    // Read back, the transaction has one change of this account, although several rows were changed.
    const id = several && 'transaction' in several ? several.transaction : 0n
    const transaction = (await readTransactions(ledger.worker, [id])).get(id)
    expect(transaction && isAirdrop(transaction, 'reserve:promotion', 250n)).toBe(true)
    const rest = BigInt(sum(before) - 290)
    expect(await postForOutcomes('worker', [airdrop(member, rest + 1n, 'more'), airdrop(member, rest, 'all')])).toEqual(
      ['insufficient', 'posted'],
    )
    expect(await postForOutcomes('worker', [airdrop(member, 1n, 'none')])).toEqual(['insufficient'])
    expect(await readBalance(member, 'available', 'BTN')).toBe(290n + rest)
  })

  describe('of which one row has more than the others', () => {
    const first = accountNumber(0n, 'reserve:promotion', 'BTN')
    const richest = first + 40n
    const setRows = async (poor: number, rich: number) => {
      await sql`
        update lode.ledger_account set balance = case id when ${richest} then ${rich}::numeric else ${poor}::numeric end
        where id between ${first} and ${first + 63n}`.execute(ledger.owner)
    }
    beforeAll(() => post(ledger.worker, [fund(6_400n)]))
    beforeEach(() => setRows(10, 100))
    afterAll(() => setRows(100, 100))

    it('pays from this row, and waits for no other', async () => {
      const member = await createMember()
      await ledger.owner.transaction().execute(async (trx) => {
        await sql`
          select from lode.ledger_account
          where id between ${first} and ${first + 63n} and id <> ${richest} for update`.execute(trx)
        expect(await postForOutcomes('worker', [airdrop(member, 60n, 'from-the-richest')])).toEqual(['posted'])
      })
    })

    it.each([
      { left: 10, paid: 'posted', why: 'pays from several rows' },
      { left: 0, paid: 'insufficient', why: 'refuses what all rows together do not have' },
    ])('if other connections take from the rows meanwhile, $why', async ({ left, paid }) => {
      const member = await createMember()
      const paying = await ledger.owner.transaction().execute(async (trx) => {
        await sql`select from lode.ledger_account where id = ${richest} for update`.execute(trx)
        const waiting = post(ledger.worker, [airdrop(member, 60n, 'too-late')])
        await untilOneWaits()
        await sql`
          update lode.ledger_account set balance = ${left}::numeric where id between ${first} and ${first + 63n}`.execute(
          trx,
        )
        return { waiting }
      })
      expect((await paying.waiting).map(({ outcome }) => outcome)).toEqual([paid])
    })

    async function untilOneWaits(): Promise<void> {
      for (;;) {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          ledger.owner,
        )
        if (rows.length > 0) return
      }
    }
  })
})

describe('suspense', () => {
  it('is credited to the member who registered with its address, and to nobody else', async () => {
    const [owner = 0n, thief = 0n] = await ledger.members(2)
    const { rows } = await sql<{ account: Buffer }>`select account from lode.member where id = ${owner}`.execute(
      ledger.owner,
    )
    const address = getAddress(toHex(rows[0]?.account ?? Buffer.alloc(20)))
    await post(ledger.worker, [suspenseDeposit(address, usdt(50))])
    await expect(post(ledger.api, [suspenseCredit(address, thief, usdt(50), 's1')])).rejects.toThrow(
      /member who registered the address/,
    )
    expect(await postForOutcomes('api', [suspenseCredit(address, owner, usdt(50), 's1')])).toEqual(['posted'])
    expect(await readBalance(owner, 'available')).toBe(50n)
    expect(await postForOutcomes('api', [suspenseCredit(address, owner, usdt(50), 's2')])).toEqual(['insufficient'])
  })
})

describe('an undo', () => {
  it('returns a treasury payment once, to the account that it came from', async () => {
    await post(ledger.worker, [
      {
        type: 'reserveFunding',
        key: newChainLogKey(),
        moves: [{ asset: 'BTN', amount: btn(70), from: 'custody:vault', to: 'reserve:mining' }],
      },
      {
        type: 'treasuryPay',
        key: 'treasury:1',
        moves: [{ asset: 'BTN', amount: btn(30), from: 'reserve:mining', to: 'pool:paying' }],
      },
    ])
    const back = (
      key: `treasury:${string}`,
      amount: number,
      to: 'reserve:mining' | 'reserve:liquidity',
    ): Transaction => ({
      type: 'treasuryUndone',
      key,
      moves: [{ asset: 'BTN', amount: btn(amount), from: 'pool:paying', to }],
    })
    await expect(post(ledger.worker, [back('treasury:1:undone', 30, 'reserve:liquidity')])).rejects.toThrow(
      /does not undo/,
    )
    await expect(post(ledger.worker, [back('treasury:1:undone', 29, 'reserve:mining')])).rejects.toThrow(
      /does not undo/,
    )
    await expect(post(ledger.worker, [back('treasury:1', 30, 'reserve:mining')])).resolves.toMatchObject([
      { outcome: 'conflict' },
    ])
    await expect(post(ledger.worker, [back('treasury:2:undone', 30, 'reserve:mining')])).rejects.toThrow(
      /does not undo/,
    )
    expect(await postForOutcomes('worker', [back('treasury:1:undone', 30, 'reserve:mining')])).toEqual(['posted'])
    expect(await postForOutcomes('worker', [back('treasury:1:undone', 30, 'reserve:mining')])).toEqual(['repeated'])
    expect(await readBalance(0n, 'reserve:mining', 'BTN')).toBe(70n)
  })
})

describe('an invalid batch', () => {
  const vault = () => accountNumber(0n, 'custody:vault', 'USDT')
  const sound = (member: bigint): RawBatch => ({
    accounts: [vault(), accountNumber(member, 'available', 'USDT')],
    types: [types.deposit.code],
    legs: [
      { account: 2, amount: '5', line: 1 },
      { account: 1, amount: '-5' },
    ],
    lines: [{ type: 1, operation: 'raw' }],
  })

  it('is refused, while a valid one is posted', async () => {
    const member = await createMember()
    const refused = async (change: (batch: RawBatch) => RawBatch, because: RegExp) =>
      expect(rawPost(ledger.worker, change(sound(member)))).rejects.toThrow(because)
    const legs = (...amounts: (string | null)[]) =>
      amounts.map((amount, index) => ({ account: 2 - index, amount, line: index === 0 ? 1 : 0 }))

    await refused((batch) => ({ ...batch, legs: legs('5', '-4') }), /does not sum to zero/)
    await refused((batch) => ({ ...batch, legs: legs('5') }), /does not sum to zero/)
    for (const amount of ['0', '0.5', '5.0', 'NaN', 'Infinity', '340282366920938463463374607431768211456', null])
      await refused(
        (batch) => ({ ...batch, legs: legs(amount, amount?.match(/^\d/) ? `-${amount}` : amount) }),
        /is not an amount/,
      )
    await refused((batch) => ({ ...batch, legs: [] }), /do not have matching lengths/)
    await refused((batch) => ({ ...batch, accounts: [vault(), vault() + 1n] }), /account 2113 does not exist/)
    await refused((batch) => ({ ...batch, accounts: [vault(), null] }), /no account of kind/)
    await refused(
      (batch) => ({ ...batch, accounts: [vault(), accountNumber(0n, 'available', 'USDT')] }),
      /does not exist/,
    )
    await refused(
      (batch) => ({ ...batch, accounts: [vault(), accountNumber(-9n, 'available', 'USDT')] }),
      /does not exist/,
    )
    await refused(
      (batch) => ({ ...batch, accounts: [vault() + (member << 14n), accountNumber(member, 'available', 'USDT')] }),
      /does not exist/,
    )
    await refused(
      (batch) => ({ ...batch, accounts: [vault(), accountNumber(member, 'available', 'USDT') & ~192n] }),
      /no account of kind/,
    )
    await refused(
      (batch) => ({ ...batch, accounts: [vault(), accountNumber(9_999_999n, 'available', 'USDT')] }),
      /member 9999999 does not exist/,
    )
    await refused((batch) => ({ ...batch, types: [99] }), /no transaction type/)
    await refused((batch) => ({ ...batch, members: [member] }), /is not a key/)
    await refused((batch) => ({ ...batch, keys: ['day:1'] }), /is not a key/)
    await refused((batch) => ({ ...batch, keys: ['chain:with blank'] }), /is not a key/)
    await refused((batch) => ({ ...batch, keys: [null] }), /is not a key/)
    await refused((batch) => ({ ...batch, hashes: ['00'] }), /is not a key/)
    await refused((batch) => ({ ...batch, keys: ['chain:1', 'chain:2'] }), /do not have matching lengths/)
    await refused(
      (batch) => ({
        ...batch,
        legs: [
          { account: 3, amount: '5' },
          { account: 1, amount: '-5' },
        ],
      }),
      /names no account of the batch/,
    )
    // An array whose index begins at 0: line 0 means none.
    await refused(
      (batch) => ({ ...batch, firstLine: 0, legs: batch.legs.map((leg) => ({ ...leg, line: 0 })) }),
      /needs a log line/,
    )
    await refused(
      (batch) => ({
        ...batch,
        legs: [
          { account: 2, amount: '5' },
          { account: 1, amount: '-5' },
        ],
      }),
      /needs a log line/,
    )
    await refused(
      (batch) => ({
        ...batch,
        legs: [
          { account: 2, amount: '5', line: 2 },
          { account: 1, amount: '-5' },
        ],
      }),
      /needs a log line/,
    )
    await refused(
      (batch) => ({
        ...batch,
        legs: [
          { account: 2, amount: '5', line: 1 },
          { account: 1, amount: '-5', line: 1 },
        ],
      }),
      /only available and frozen accounts have log lines/,
    )
    await refused((batch) => ({ ...batch, lines: [{ type: 2, operation: 'raw' }] }), /needs a log line/)
    await refused((batch) => ({ ...batch, lines: [{ type: 1, operation: null }] }), /cannot begin line/)
    await refused((batch) => ({ ...batch, lines: [{ type: 1, operation: 'two words' }] }), /cannot begin line/)
    for (const fee of ['-1', '0.5', 'NaN'])
      await refused((batch) => ({ ...batch, lines: [{ type: 1, operation: 'raw', fee }] }), /cannot begin line/)
    await refused(
      (batch) => ({ ...batch, legs: batch.legs.map((leg) => ({ ...leg, transaction: 2 })) }),
      /sum to zero|not in the order of its transactions/,
    )

    expect(await rawPost(ledger.worker, sound(member))).toEqual(['posted'])
  })

  it('has one log line for two members or two assets', async () => {
    const [one = 0n, two = 0n] = await ledger.members(2)
    const mixed = (second: bigint, firstVault: bigint, secondVault: bigint): RawBatch => ({
      accounts: [firstVault, secondVault, accountNumber(one, 'available', 'USDT'), second],
      keys: ['chain:mixed'],
      types: [types.promotionPaid.code],
      legs: [
        { account: 3, amount: '5', line: 1 },
        { account: 4, amount: '5', line: 1 },
        { account: 1, amount: '-5' },
        { account: 2, amount: '-5' },
      ],
      lines: [{ type: 4, operation: 'mixed' }],
    })
    for (const second of [accountNumber(two, 'available', 'USDT'), accountNumber(one, 'available', 'BTN')])
      await expect(
        rawPost(ledger.worker, mixed(second, vault(), accountNumber(0n, 'custody:vault', 'BTN'))),
      ).rejects.toThrow(/one member and one asset/)
  })

  it("moves another member's money", async () => {
    const [owner = 0n, thief = 0n] = await ledger.members(2)
    await post(ledger.worker, [deposit('USDT', owner, usdt(10))])
    const theft = { ...transferRequest('USDT', owner, usdt(10), 'x'), member: thief } as Transaction
    await expect(post(ledger.api, [theft])).rejects.toThrow(/may not touch member/)
  })
})

describe('the chart', () => {
  it('is the same in the database and in the code', async () => {
    for (const [table, rows] of Object.entries(chartRows())) {
      const found = await sql<{
        row: object
      }>`select to_jsonb(chart) as row from ${sql.id('lode', table)} as chart`.execute(ledger.owner)
      expect(found.rows.map(({ row }) => row)).toEqual(expect.arrayContaining(rows))
      expect(found.rows).toHaveLength(rows.length)
    }
  })

  it('is enforced for every type, every account kind on either side, and every role', {
    timeout: 300_000,
  }, async () => {
    const member = await createMember()
    const roles = ['lode_api', 'lode_worker', 'lode_signer'] as const
    const typeNames = Object.keys(types) as TypeName[]
    const tried: string[] = []
    const wrong: string[] = []
    for (const role of roles) {
      for (const name of typeNames) {
        const rule = types[name]
        for (const kind of Object.keys(kinds) as KindName[]) {
          for (const side of ['debits', 'credits'] as const) {
            const mayRole = rule.roles.some((each) => `lode_${each}` === role)
            const mayMove = (rule[side] as readonly KindName[]).includes(kind)
            const said = await sayOf(role, name, kind, side, member)
            const expected = role === 'lode_signer' ? 'no door' : !mayRole ? 'role' : mayMove ? 'allowed' : 'kind'
            tried.push(said)
            if (said !== expected) wrong.push(`${role} ${name} ${side} ${kind}: ${said}, not ${expected}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(tried.length).toBe(3 * typeNames.length * Object.keys(kinds).length * 2)
  })

  /** Posts a single leg: the check by kind comes before the check that the legs sum to zero. */
  async function sayOf(
    role: 'lode_api' | 'lode_worker' | 'lode_signer',
    name: TypeName,
    kind: KindName,
    side: string,
    member: bigint,
  ) {
    const rule = types[name]
    const { holder, log, assets } = kinds[kind]
    const address = '0x00000000000000000000000000000000000000bb'
    const batch: RawBatch = {
      accounts: [accountNumber(holder === 'member' ? member : 0n, kind, assets[0])],
      ...(holder === 'suspense' ? { addresses: [address] } : {}),
      members: [rule.keys === 'member' ? member : 0n],
      keys: [rule.keys === 'member' ? 'any' : `${rule.keys}:any`],
      types: [rule.code],
      legs: [{ account: 1, amount: side === 'debits' ? '-1' : '1', line: log ? 1 : 0 }],
      lines: log
        ? [
            {
              type: (chartRows().ledger_log_type.find((row) => row.name === rule.logs[0])?.code as number) ?? 1,
              operation: 'any',
            },
          ]
        : [],
    }
    const db = { lode_api: ledger.api, lode_worker: ledger.worker, lode_signer: ledger.signer }[role]
    const said = await rawPost(db, batch).then(String, (error: Error) => error.message)
    if (/permission denied/.test(said)) return 'no door'
    if (/may not post/.test(said)) return 'role'
    if (/may not (debit|credit)/.test(said)) return 'kind'
    return /does not sum to zero/.test(said) ? 'allowed' : said
  }
})

describe('every move of the fast path', () => {
  const moves = chartRows().ledger_move as unknown as Move[]
  type Move = {
    type: number
    debit: number
    credit: number
    log: number
    roles: string[]
    key_of_member: boolean
    key_start: string
    debit_of_member: boolean
    phase: string
  }
  const flooredCodes = new Set(
    Object.values(kinds)
      .filter(({ floored }) => floored)
      .map(({ code }): number => code),
  )
  let made = 0

  /** A valid transaction of two legs. */
  function plain(move: Move, from: bigint, to: bigint, member = from): RawBatch {
    made += 1
    const [debit, credit] = accountsOf(move, from, to)
    const accounts = [debit, credit].toSorted((one, other) => (one < other ? -1 : 1))
    const place = (account: bigint) => accounts.indexOf(account) + 1
    return {
      accounts,
      members: [move.key_of_member ? member : 0n],
      keys: [`${move.key_start}plain:${made}`],
      types: [move.type],
      legs: [
        { account: place(credit), amount: '3', line: 1 },
        { account: place(debit), amount: '-3', line: move.phase === 'confirming' ? 1 : 0 },
      ],
      lines: [{ type: move.log, operation: `plain:${made}` }],
    }
  }

  const accountsOf = (move: Move, from: bigint, to: bigint): [bigint, bigint] => [
    ((move.debit_of_member ? from : 0n) << 14n) | BigInt(move.debit),
    (to << 14n) | BigInt(move.credit),
  ]

  /** Gives every account enough money. The ledger does not sum to zero after this. */
  async function endow(move: Move, ...members: bigint[]): Promise<void> {
    for (const member of members)
      for (const id of accountsOf(move, member, member))
        await sql`
          insert into lode.ledger_account (id, floor, balance)
          select n, case when ${isFloored(id)} then 0 end, 1000 from generate_series(${id}::bigint, ${id}::bigint + ${id >> 14n ? 0 : 63}) n
          on conflict (id) do update set balance = 1000`.execute(ledger.owner)
  }
  const isFloored = (id: bigint | number) => flooredCodes.has(Number((BigInt(id) >> 8n) & 63n))

  const dbOf = (role: string) => ({ lode_api: ledger.api, lode_worker: ledger.worker })[role] ?? ledger.signer
  const said = (role: string, batch: RawBatch) =>
    rawPost(dbOf(role), batch).then(String, (error: Error) => error.message)

  it('is posted only for its roles and its member, alone and in a batch', { timeout: 120_000 }, async () => {
    expect(moves.length).toBeGreaterThan(15)
    const [one = 0n, two = 0n] = await ledger.members(2)
    for (const move of moves) {
      await endow(move, one, two)
      const at = JSON.stringify(move)
      const [role = ''] = move.roles
      const same = plain(move, one, one)
      expect([at, await said(role, same)]).toEqual([at, 'posted'])
      expect([at, await said(role, same)]).toEqual([at, 'repeated'])
      expect([at, await said(role, { ...same, hashes: ['11'.repeat(32)] })]).toEqual([at, 'conflict'])
      for (const other of ['lode_api', 'lode_worker'].filter((name) => !move.roles.includes(name)))
        expect([at, await said(other, plain(move, one, one))]).toEqual([at, expect.stringMatching(/may not post/)])

      const foreign = move.key_of_member ? [plain(move, one, one, two)] : []
      const mixed = move.debit_of_member ? [plain(move, one, two, one)] : []
      for (const batch of [...foreign, ...mixed])
        expect([at, await said(role, batch)]).toEqual([at, expect.stringMatching(/may not touch/)])
      const wrongKey = { ...plain(move, one, one), keys: ['elsewhere:1'], members: [move.key_of_member ? 0n : one] }
      expect([at, await said(role, wrongKey)]).toEqual([at, expect.stringMatching(/is not a key/)])
      const unlined = plain(move, one, one)
      const flipped = { ...unlined, legs: unlined.legs.map((leg) => ({ ...leg, line: 1 - (leg.line ?? 0) })) }
      expect([at, await said(role, flipped)]).toEqual([at, expect.stringMatching(/log line/)])
      expect([at, await said(role, tooMuch(move, one))]).toEqual([
        at,
        isFloored(move.debit) ? 'insufficient' : 'posted',
      ])
    }
  })

  function tooMuch(move: Move, member: bigint): RawBatch {
    const batch = plain(move, member, member)
    return { ...batch, legs: batch.legs.map((leg) => ({ ...leg, amount: `${leg.amount}000000` })) }
  }

  it('is posted by lode.post_plain only if it is valid; otherwise nothing changes', {
    timeout: 120_000,
  }, async () => {
    const [one = 0n, poor = 0n] = await ledger.members(2)
    const state = async () => {
      const accounts = await sql`select id, balance, version from lode.ledger_account order by id`.execute(ledger.owner)
      const rows = await sql`
        select (select count(*) from lode.ledger_transaction) as transactions, (select count(*) from lode.posting) as postings,
               (select count(*) from lode.log_line) as lines`.execute(ledger.owner)
      return [accounts.rows, rows.rows]
    }
    for (const move of moves) {
      await endow(move, one)
      const [role = ''] = move.roles
      const short = (batch: RawBatch, by = role) => rawFastPost(dbOf(by), batch)
      const right = () => plain(move, one, one)
      const first = right()
      expect([move, await short(first)]).toEqual([move, expect.any(BigInt)])
      const [leg, other] = right().legs
      const [debit, credit] = accountsOf(move, one, one)
      const amount = (amount: string): RawBatch => ({
        ...right(),
        legs: [leg, other].flatMap((one) => (one ? { ...one, amount } : [])),
      })
      const line = (operation: string | null, type = move.log): RawBatch => ({
        ...right(),
        lines: [{ type, operation }],
      })
      const accounts = (from: bigint, to: bigint): RawBatch => ({
        ...right(),
        accounts: [to, from],
        legs: [
          { account: 1, amount: '3' },
          { account: 2, amount: '-3' },
        ],
      })
      const wrong: RawBatch[] = [
        first,
        { ...first, hashes: ['11'.repeat(32)] },
        { ...right(), hashes: ['00'.repeat(31)] },
        ...['', 'has blank', 'é', 'a'.repeat(201), null].map((end) => ({
          ...right(),
          keys: [end === null ? null : end && `${move.key_start}${end}`],
        })),
        ...(move.key_of_member ? [] : [{ ...right(), keys: ['elsewhere:1'] }]),
        ...['0', '-3', '1.5', 'NaN', 'Infinity', String(2n ** 128n)].map(amount),
        ...['', 'has blank', 'a'.repeat(201), null].map((operation) => line(operation)),
        line('of another type', 15),
        { ...right(), types: [7] },
        accounts(debit + 1n, credit),
        accounts(debit, credit + 1n),
        accounts(credit, debit),
        plain(move, poor, poor),
        ...(isFloored(move.debit) ? [tooMuch(move, one)] : []),
      ]
      const before = await state()
      for (const batch of wrong) expect([move, batch, await short(batch)]).toEqual([move, batch, null])
      for (const by of ['lode_api', 'lode_worker'].filter((name) => !move.roles.includes(name)))
        expect([move, await short(right(), by)]).toEqual([move, null])
      await expect(short(right(), 'lode_signer')).rejects.toThrow(/permission denied/)
      expect(await state()).toEqual(before)
    }
  })

  it('writes the same rows by lode.post_plain as by lode.post', { timeout: 120_000 }, async () => {
    const written = async (key: string) => {
      const { rows } = await sql`
        select posting.member, posting.account & -64 as account, posting.amount, line is null as unlogged, log_line.type, phase,
               log_line.amount as line_amount, fee
        from lode.ledger_transaction head
        join lode.posting on posting.transaction = head.id
        left join lode.log_line on log_line.member = posting.member and log_line.id = posting.line
          and log_line.transaction = head.id and log_line.asset = posting.account >> 6 & 3
        where head.key = ${key} order by account`.execute(ledger.owner)
      return rows
    }
    const [one = 0n] = await ledger.members(1)
    for (const move of moves) {
      await endow(move, one)
      const [role = ''] = move.roles
      const alone = plain(move, one, one)
      const first = plain(move, one, one)
      const second = plain(move, one, one)
      const batch: RawBatch = {
        ...first,
        members: [...(first.members ?? []), ...(second.members ?? [])],
        keys: [...(first.keys ?? []), ...(second.keys ?? [])],
        types: [...first.types, ...second.types],
        legs: [...first.legs, ...second.legs.map((leg) => ({ ...leg, transaction: 2, line: (leg.line ?? 0) * 2 }))],
        lines: [...(first.lines ?? []), ...(second.lines ?? [])],
      }
      expect(await rawFastPost(dbOf(role), alone)).toEqual(expect.any(BigInt))
      expect(await said(role, batch)).toBe('posted,posted')
      const expected = await written(alone.keys?.[0] ?? '')
      expect(expected).toHaveLength(2)
      expect(await written(first.keys?.[0] ?? '')).toEqual(expected)
      expect(await written(second.keys?.[0] ?? '')).toEqual(expected)
    }
  })
})

describe('without lode.post', () => {
  const written = ['ledger_transaction', 'posting', 'log_line', 'log_closing', 'ledger_seal']
  const tables = [
    ...written,
    'ledger_account',
    'suspense_holder',
    'ledger_kind',
    'ledger_type',
    'ledger_asset',
    'ledger_log_type',
  ]

  it('no process can write a ledger table', async () => {
    for (const role of ['api', 'worker', 'signer'] as const)
      for (const table of [...tables, 'posting_member_0', 'posting_system_0', 'log_line_0'])
        for (const statement of [
          sql`insert into ${sql.id('lode', table)} default values`,
          sql`delete from ${sql.id('lode', table)}`,
          sql`truncate ${sql.id('lode', table)}`,
        ])
          await expect(statement.execute(ledger[role])).rejects.toThrow(/permission denied/)
    for (const role of ['api', 'worker', 'signer'] as const) {
      await expect(sql`update lode.ledger_account set balance = 1`.execute(ledger[role])).rejects.toThrow(
        /permission denied/,
      )
      await expect(sql`update lode.posting set amount = 1`.execute(ledger[role])).rejects.toThrow(/permission denied/)
      await expect(sql`set role lode_ledger`.execute(ledger[role])).rejects.toThrow(/permission denied/)
      await expect(sql`select nextval('lode.ledger_transaction_id')`.execute(ledger[role])).rejects.toThrow(
        /permission denied/,
      )
    }
  })

  it('not even the owner of the database can change, delete or truncate ledger rows', async () => {
    await createRichMember(5)
    await sql`update lode.ledger_account set balance = balance`.execute(ledger.owner)
    for (const table of ['ledger_transaction', 'posting', 'log_line']) {
      const named = sql.id('lode', table)
      await expect(sql`delete from ${named}`.execute(ledger.owner)).rejects.toThrow(/what was written stays/)
      await expect(sql`truncate ${named}`.execute(ledger.owner)).rejects.toThrow(/what was written stays/)
    }
    await expect(sql`update lode.posting set amount = amount`.execute(ledger.owner)).rejects.toThrow(
      /what was written stays/,
    )
    await expect(sql`update lode.ledger_transaction set key = key`.execute(ledger.owner)).rejects.toThrow(
      /what was written stays/,
    )
  })

  it('the floor holds even for the owner of the database', async () => {
    const member = await createRichMember(5)
    const id = accountNumber(member, 'available', 'USDT')
    await expect(
      sql`update lode.ledger_account set balance = -1 where id = ${id}`.execute(ledger.owner),
    ).rejects.toThrow(/ledger_account_floor/)
  })
})
