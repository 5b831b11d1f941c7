import { sql } from 'kysely'
import { getAddress, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountNumber } from './account-number.ts'
import { type KindName, kinds, type TypeName, types } from './chart.ts'
import { chartRows } from './chart-sql.ts'
import { post } from './post.ts'
import { type Books, btn, newLog, openBooks, usdt } from './testing/books.ts'
import { type RawBatch, rawPost, rawPostPlain } from './testing/raw-post.ts'
import { creditSuspense, deposit, fromStranger, paid, release, request } from './testing/transactions.ts'
import type { Transaction } from './transaction.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

const newMember = async (): Promise<bigint> => (await books.members(1))[0] ?? 0n
const outcomesOf = async (role: 'api' | 'worker', batch: Transaction[], together = false) =>
  (await post(books[role], batch, { together })).map(({ outcome }) => outcome)

async function balance(owner: bigint, kind: KindName, asset: 'USDT' | 'BTN' = 'USDT'): Promise<bigint> {
  const from = accountNumber(owner, kind, asset)
  const { rows } = await sql<{ balance: string }>`
    select coalesce(sum(balance), 0) as balance from lode.ledger_account
    where id between ${from} and ${from + 63n}`.execute(books.owner)
  return BigInt(rows[0]?.balance ?? 0)
}

async function richMember(amount: number): Promise<bigint> {
  const member = await newMember()
  await post(books.worker, [deposit('USDT', member, usdt(amount))])
  return member
}

describe('a deposit', () => {
  it('moves money from custody to the member, once for its log', async () => {
    const member = await newMember()
    const arrived = deposit('USDT', member, usdt(100))
    const [first] = await post(books.worker, [arrived])
    expect(first).toEqual({ outcome: 'posted', transaction: expect.any(BigInt) })
    expect(await post(books.worker, [arrived])).toEqual([{ ...first, outcome: 'repeated' }])
    expect(await balance(member, 'available')).toBe(100n)
  })

  it('is refused as a conflict when its log was posted with another amount', async () => {
    const member = await newMember()
    const key = newLog()
    await post(books.worker, [deposit('USDT', member, usdt(100), key)])
    expect(await outcomesOf('worker', [deposit('USDT', member, usdt(101), key)])).toEqual(['conflict'])
  })

  it('is the same log for a member as for the stranger its sender was, where the terms say so', async () => {
    const member = await newMember()
    const key = newLog()
    const terms = 'USDT 100 from 0x01'
    const stranger = {
      ...fromStranger('0x0000000000000000000000000000000000000001', usdt(100)),
      key,
      terms,
    } as Transaction
    expect(await outcomesOf('worker', [stranger])).toEqual(['posted'])
    expect(await outcomesOf('worker', [{ ...deposit('USDT', member, usdt(100), key), terms }])).toEqual(['repeated'])
    expect(await balance(member, 'available')).toBe(0n)
  })
})

describe('a reservation', () => {
  it('freezes, and pays what it froze', async () => {
    const member = await richMember(100)
    expect(await outcomesOf('api', [request('USDT', member, usdt(60), 't1')])).toEqual(['posted'])
    expect([await balance(member, 'available'), await balance(member, 'frozenOut')]).toEqual([40n, 60n])
    expect(await outcomesOf('worker', [paid('USDT', member, usdt(60), 't1')])).toEqual(['posted'])
    expect([await balance(member, 'available'), await balance(member, 'frozenOut')]).toEqual([40n, 0n])
  })

  it('freezes, and gives back what it froze', async () => {
    const member = await richMember(100)
    await post(books.api, [request('USDT', member, usdt(60), 't1')])
    expect(await outcomesOf('api', [release('USDT', member, usdt(60), 't1')])).toEqual(['posted'])
    expect([await balance(member, 'available'), await balance(member, 'frozenOut')]).toEqual([100n, 0n])
  })

  it('ends once: neither paid after it was released, nor released after it was paid', async () => {
    const member = await richMember(100)
    // A second transfer keeps enough money frozen, so that only the state of the line can refuse.
    await post(books.api, [request('USDT', member, usdt(10), 't1'), request('USDT', member, usdt(10), 't2')])
    await post(books.api, [release('USDT', member, usdt(10), 't1')])
    await expect(post(books.worker, [paid('USDT', member, usdt(10), 't1')])).rejects.toThrow(/cannot end line t1/)
    await post(books.worker, [paid('USDT', member, usdt(10), 't2')])
    await post(books.api, [request('USDT', member, usdt(10), 't3')])
    await expect(post(books.api, [release('USDT', member, usdt(10), 't2')])).rejects.toThrow(/cannot end line t2/)
  })

  it('ends whole: not in part, and not with what another one froze', async () => {
    const member = await richMember(100)
    await post(books.api, [request('USDT', member, usdt(10), 't1'), request('USDT', member, usdt(20), 't2')])
    await expect(post(books.worker, [paid('USDT', member, usdt(9), 't1')])).rejects.toThrow(/cannot end line/)
    await expect(post(books.worker, [paid('USDT', member, usdt(20), 't1')])).rejects.toThrow(/cannot end line/)
    await expect(post(books.worker, [paid('USDT', member, usdt(10), 't3')])).rejects.toThrow(/cannot end line/)
  })

  it('begins once for an operation', async () => {
    const member = await richMember(100)
    const again = { ...request('USDT', member, usdt(10), 't1'), key: 'another' } as Transaction
    await post(books.api, [request('USDT', member, usdt(10), 't1')])
    await expect(post(books.api, [again])).rejects.toThrow(/unique constraint/)
    await expect(
      post(books.api, [
        request('USDT', member, usdt(1), 't2'),
        { ...request('USDT', member, usdt(1), 't2'), key: 'k' } as Transaction,
      ]),
    ).rejects.toThrow(/cannot begin line/)
  })

  it('can begin and end in one batch, as a promotion paid from the balance does', async () => {
    const member = await richMember(100)
    const [sponsor = 0n] = await books.members(1)
    const line = { type: 'upLevelByBalance', operation: 'o1' } as const
    const outcomes = await outcomesOf(
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
    expect([await balance(member, 'frozenOrder'), await balance(sponsor, 'available')]).toEqual([0n, 10n])
  })

  it('carries its fee in its line', async () => {
    const member = await richMember(100)
    const line = { type: 'transferOut', operation: 'fee', fee: usdt(1) } as const
    await post(books.api, [
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
      select amount, fee, phase from lode.log_line where member = ${member} and operation = 'fee'`.execute(books.owner)
    expect(rows).toEqual([{ amount: '-50', fee: '1', phase: 'confirming' }])
  })
})

describe('a batch', () => {
  it('goes on past what is insufficient, repeated or in conflict, each judged by what came before it', async () => {
    const member = await richMember(100)
    const first = request('USDT', member, usdt(80), 'b1')
    const other = { ...request('USDT', member, usdt(5), 'b9'), key: first.key } as Transaction
    const later = request('USDT', member, usdt(30), 'b2')
    expect(
      await outcomesOf('api', [first, later, first, other, release('USDT', member, usdt(80), 'b1'), later]),
    ).toEqual(['posted', 'insufficient', 'repeated', 'conflict', 'posted', 'posted'])
    expect([await balance(member, 'available'), await balance(member, 'frozenOut')]).toEqual([70n, 30n])
  })

  it('posts all or nothing when its transactions build on each other', async () => {
    const member = await richMember(100)
    const batch = [request('USDT', member, usdt(80), 'c1'), request('USDT', member, usdt(30), 'c2')]
    expect(await outcomesOf('api', batch, true)).toEqual(['undone', 'insufficient'])
    expect([await balance(member, 'available'), await balance(member, 'frozenOut')]).toEqual([100n, 0n])
    // The refused batch used no key.
    expect(await outcomesOf('api', [request('USDT', member, usdt(80), 'c1')])).toEqual(['posted'])
  })

  it('of nothing is nothing', async () => {
    expect(await post(books.api, [])).toEqual([])
  })

  it('leaves no account behind that nothing was posted to', async () => {
    const member = await newMember()
    expect(await outcomesOf('api', [request('USDT', member, usdt(1), 'd1')])).toEqual(['insufficient'])
    const stranger = '0x00000000000000000000000000000000000000aa'
    expect(
      await outcomesOf('worker', [
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
      books.owner,
    )
    expect(rows).toEqual([{ accounts: 0, holders: 0 }])
  })
})

describe('a striped account', () => {
  it('pays from all its stripes together what none of them holds alone', async () => {
    const before = await balance(0n, 'pool:operations', 'BTN')
    for (const [index, stripe] of [3n, 17n, 40n].entries()) await fillStripe(stripe, 10 + index)
    const whole = await balance(0n, 'pool:operations', 'BTN')
    expect(whole - before).toBe(33n)
    const pay = (amount: bigint, key: string): Transaction => ({
      type: 'treasuryPay',
      key: `treasury:${key}`,
      moves: [{ asset: 'BTN', amount: btn(amount), from: 'pool:operations', to: 'pool:paying' }],
    })
    expect(await outcomesOf('worker', [pay(whole + 1n, 'too-much'), pay(whole, 'all'), pay(1n, 'no-more')])).toEqual([
      'insufficient',
      'posted',
      'insufficient',
    ])
    expect(await balance(0n, 'pool:operations', 'BTN')).toBe(0n)
  })

  /** Fills a stripe as another connection would. */
  async function fillStripe(stripe: bigint, amount: number): Promise<void> {
    const id = accountNumber(0n, 'pool:operations', 'BTN') + stripe
    await sql`insert into lode.ledger_account values (${id}, 0, ${amount}, 1)`.execute(books.owner)
  }
})

describe('suspense', () => {
  it('is credited to the member who registered with its address, and to nobody else', async () => {
    const [owner = 0n, thief = 0n] = await books.members(2)
    const { rows } = await sql<{ account: Buffer }>`select account from lode.member where id = ${owner}`.execute(
      books.owner,
    )
    const address = getAddress(toHex(rows[0]?.account ?? Buffer.alloc(20)))
    await post(books.worker, [fromStranger(address, usdt(50))])
    await expect(post(books.api, [creditSuspense(address, thief, usdt(50), 's1')])).rejects.toThrow(
      /member of that address/,
    )
    expect(await outcomesOf('api', [creditSuspense(address, owner, usdt(50), 's1')])).toEqual(['posted'])
    expect(await balance(owner, 'available')).toBe(50n)
    expect(await outcomesOf('api', [creditSuspense(address, owner, usdt(50), 's2')])).toEqual(['insufficient'])
  })
})

describe('undoing', () => {
  it('puts a treasury payment back where it came from, once, and nowhere else', async () => {
    await post(books.worker, [
      {
        type: 'reserveFunding',
        key: newLog(),
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
    await expect(post(books.worker, [back('treasury:1:undone', 30, 'reserve:liquidity')])).rejects.toThrow(
      /does not undo/,
    )
    await expect(post(books.worker, [back('treasury:1:undone', 29, 'reserve:mining')])).rejects.toThrow(/does not undo/)
    await expect(post(books.worker, [back('treasury:1', 30, 'reserve:mining')])).resolves.toMatchObject([
      { outcome: 'conflict' },
    ])
    await expect(post(books.worker, [back('treasury:2:undone', 30, 'reserve:mining')])).rejects.toThrow(/does not undo/)
    expect(await outcomesOf('worker', [back('treasury:1:undone', 30, 'reserve:mining')])).toEqual(['posted'])
    expect(await outcomesOf('worker', [back('treasury:1:undone', 30, 'reserve:mining')])).toEqual(['repeated'])
    expect(await balance(0n, 'reserve:mining', 'BTN')).toBe(70n)
  })
})

describe('what no honest caller asks for', () => {
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

  it('is refused, and only that', async () => {
    const member = await newMember()
    const refused = async (change: (batch: RawBatch) => RawBatch, because: RegExp) =>
      expect(rawPost(books.worker, change(sound(member)))).rejects.toThrow(because)
    const legs = (...amounts: (string | null)[]) =>
      amounts.map((amount, index) => ({ account: 2 - index, amount, line: index === 0 ? 1 : 0 }))

    await refused((batch) => ({ ...batch, legs: legs('5', '-4') }), /does not sum to zero/)
    await refused((batch) => ({ ...batch, legs: legs('5') }), /does not sum to zero/)
    for (const amount of ['0', '0.5', '5.0', 'NaN', 'Infinity', '340282366920938463463374607431768211456', null])
      await refused(
        (batch) => ({ ...batch, legs: legs(amount, amount?.match(/^\d/) ? `-${amount}` : amount) }),
        /is not an amount/,
      )
    await refused((batch) => ({ ...batch, legs: [] }), /do not fit together/)
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
    await refused((batch) => ({ ...batch, keys: ['chain:1', 'chain:2'] }), /do not fit together/)
    await refused(
      (batch) => ({
        ...batch,
        legs: [
          { account: 3, amount: '5' },
          { account: 1, amount: '-5' },
        ],
      }),
      /may not credit/,
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
      /only what a member can see/,
    )
    await refused((batch) => ({ ...batch, lines: [{ type: 2, operation: 'raw' }] }), /needs a log line/)
    await refused((batch) => ({ ...batch, lines: [{ type: 1, operation: null }] }), /cannot begin line/)
    await refused((batch) => ({ ...batch, lines: [{ type: 1, operation: 'two words' }] }), /cannot begin line/)
    for (const fee of ['-1', '0.5', 'NaN'])
      await refused((batch) => ({ ...batch, lines: [{ type: 1, operation: 'raw', fee }] }), /cannot begin line/)
    await refused(
      (batch) => ({ ...batch, legs: batch.legs.map((leg) => ({ ...leg, transaction: 2 })) }),
      /sum to zero|do not fit/,
    )

    expect(await rawPost(books.worker, sound(member))).toEqual(['posted'])
  })

  it('is a line of two members, or of two assets', async () => {
    const [one = 0n, two = 0n] = await books.members(2)
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
        rawPost(books.worker, mixed(second, vault(), accountNumber(0n, 'custody:vault', 'BTN'))),
      ).rejects.toThrow(/one member and one asset/)
  })

  it("is another member's money", async () => {
    const [owner = 0n, thief = 0n] = await books.members(2)
    await post(books.worker, [deposit('USDT', owner, usdt(10))])
    const theft = { ...request('USDT', owner, usdt(10), 'x'), member: thief } as Transaction
    await expect(post(books.api, [theft])).rejects.toThrow(/may not touch member/)
  })
})

describe('the table of what may move', () => {
  it('stands in the database as in the code', async () => {
    for (const [table, rows] of Object.entries(chartRows())) {
      const found = await sql<{
        row: object
      }>`select to_jsonb(chart) as row from ${sql.id('lode', table)} as chart`.execute(books.owner)
      expect(found.rows.map(({ row }) => row)).toEqual(expect.arrayContaining(rows))
      expect(found.rows).toHaveLength(rows.length)
    }
  })

  it('holds for every type, every kind on either side, and every role', { timeout: 300_000 }, async () => {
    const member = await newMember()
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
    const db = { lode_api: books.api, lode_worker: books.worker, lode_signer: books.signer }[role]
    const said = await rawPost(db, batch).then(String, (error: Error) => error.message)
    if (/permission denied/.test(said)) return 'no door'
    if (/may not post/.test(said)) return 'role'
    if (/may not (debit|credit)/.test(said)) return 'kind'
    return /does not sum to zero/.test(said) ? 'allowed' : said
  }
})

describe('every plain movement of the table', () => {
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
          on conflict (id) do update set balance = 1000`.execute(books.owner)
  }
  const isFloored = (id: bigint | number) => flooredCodes.has(Number((BigInt(id) >> 8n) & 63n))

  const dbOf = (role: string) => ({ lode_api: books.api, lode_worker: books.worker })[role] ?? books.signer
  const said = (role: string, batch: RawBatch) =>
    rawPost(dbOf(role), batch).then(String, (error: Error) => error.message)

  it('is posted for its roles and its member alone, alone and in a batch alike', { timeout: 120_000 }, async () => {
    expect(moves.length).toBeGreaterThan(15)
    const [one = 0n, two = 0n] = await books.members(2)
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
    return { ...batch, legs: batch.legs.map((leg) => ({ ...leg, amount: `${leg.amount}000` })) }
  }

  it('is posted by the short way only if it is right, which else leaves all as it was', {
    timeout: 120_000,
  }, async () => {
    const [one = 0n, poor = 0n] = await books.members(2)
    const state = async () => {
      const accounts = await sql`select id, balance, version from lode.ledger_account order by id`.execute(books.owner)
      const rows = await sql`
        select (select count(*) from lode.ledger_transaction) as transactions, (select count(*) from lode.posting) as postings,
               (select count(*) from lode.log_line) as lines`.execute(books.owner)
      return [accounts.rows, rows.rows]
    }
    for (const move of moves) {
      await endow(move, one)
      const [role = ''] = move.roles
      const short = (batch: RawBatch, by = role) => rawPostPlain(dbOf(by), batch)
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

  it('writes the same by the short way as in a batch', { timeout: 120_000 }, async () => {
    const written = async (key: string) => {
      const { rows } = await sql`
        select posting.member, posting.account & -64 as account, posting.amount, line is null as unlogged, log_line.type, phase,
               log_line.amount as line_amount, fee
        from lode.ledger_transaction head
        join lode.posting on posting.transaction = head.id
        left join lode.log_line on log_line.member = posting.member and log_line.id = posting.line
          and log_line.transaction = head.id and log_line.asset = posting.account >> 6 & 3
        where head.key = ${key} order by account`.execute(books.owner)
      return rows
    }
    const [one = 0n] = await books.members(1)
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
      expect(await rawPostPlain(dbOf(role), alone)).toEqual(expect.any(BigInt))
      expect(await said(role, batch)).toBe('posted,posted')
      const expected = await written(alone.keys?.[0] ?? '')
      expect(expected).toHaveLength(2)
      expect(await written(first.keys?.[0] ?? '')).toEqual(expected)
      expect(await written(second.keys?.[0] ?? '')).toEqual(expected)
    }
  })
})

describe('behind the function', () => {
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
          await expect(statement.execute(books[role])).rejects.toThrow(/permission denied/)
    for (const role of ['api', 'worker', 'signer'] as const) {
      await expect(sql`update lode.ledger_account set balance = 1`.execute(books[role])).rejects.toThrow(
        /permission denied/,
      )
      await expect(sql`update lode.posting set amount = 1`.execute(books[role])).rejects.toThrow(/permission denied/)
      await expect(sql`set role lode_ledger`.execute(books[role])).rejects.toThrow(/permission denied/)
      await expect(sql`select nextval('lode.ledger_transaction_id')`.execute(books[role])).rejects.toThrow(
        /permission denied/,
      )
    }
  })

  it('not even the owner of the database changes, removes or empties what was written', async () => {
    await richMember(5)
    await sql`update lode.ledger_account set balance = balance`.execute(books.owner)
    for (const table of ['ledger_transaction', 'posting', 'log_line']) {
      const named = sql.id('lode', table)
      await expect(sql`delete from ${named}`.execute(books.owner)).rejects.toThrow(/what was written stays/)
      await expect(sql`truncate ${named}`.execute(books.owner)).rejects.toThrow(/what was written stays/)
    }
    await expect(sql`update lode.posting set amount = amount`.execute(books.owner)).rejects.toThrow(
      /what was written stays/,
    )
    await expect(sql`update lode.ledger_transaction set key = key`.execute(books.owner)).rejects.toThrow(
      /what was written stays/,
    )
  })

  it('the floor holds even for the owner of the database', async () => {
    const member = await richMember(5)
    const id = accountNumber(member, 'available', 'USDT')
    await expect(
      sql`update lode.ledger_account set balance = -1 where id = ${id}`.execute(books.owner),
    ).rejects.toThrow(/ledger_account_floor/)
  })
})
