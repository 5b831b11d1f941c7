import { type Asset, assets } from '@lode/kernel'
import fc from 'fast-check'
import { type Address, keccak256, numberToHex, pad, stringToHex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { readLogs } from './rules.ts'
import { address, inTransaction, pool, transfer, transferOf, vaultEvent } from './testing/logs.ts'

const { vault } = pool
const [ada, ben, cold, formerCold, funder] = [1, 2, 3, 4, 5].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const token = (asset: Asset) => pool.tokens[asset].address
const bothCold = new Set([cold, formerCold])

const read = (logs: Parameters<typeof inTransaction>[0], coldNow: ReadonlySet<Address> = bothCold) =>
  readLogs(inTransaction(logs), pool, coldNow)

const deposited = (asset: Asset, from: Address, amount: bigint) =>
  vaultEvent('Deposited', { from, token: token(asset), amount })

describe('the logs of a transaction', () => {
  it('are one deposit where a Transfer and the vault tell of the same money', () => {
    const { movements, problems } = read([transfer('USDT', ada, vault, 5n), deposited('USDT', ada, 5n)])
    expect(problems).toEqual([])
    expect(movements).toMatchObject([{ kind: 'deposit', from: ada, amount: 5n, into: 'vault', log: { logIndex: 1 } }])
  })

  it('are a deposit where a Transfer stands alone', () => {
    expect(read([transfer('BTC', ada, vault, 5n)]).movements).toMatchObject([
      { kind: 'deposit', from: ada, asset: 'BTC', amount: 5n },
    ])
  })

  it('give an event the nearest Transfer before it, and leave the other as a plain one', () => {
    const { movements } = read([
      transfer('USDT', ada, vault, 5n),
      transfer('USDT', ada, vault, 5n),
      deposited('USDT', ada, 5n),
    ])
    expect(movements.map(({ log, kind }) => [log.logIndex, kind])).toEqual([
      [0, 'deposit'],
      [2, 'deposit'],
    ])
  })

  it('pair only within their transaction', () => {
    const logs = [
      ...inTransaction([transfer('USDT', ada, vault, 5n)], { tx: 1 }),
      ...inTransaction([deposited('USDT', ada, 5n)], { tx: 2 }),
    ]
    const { movements, problems } = readLogs(logs, pool, bothCold)
    expect(movements).toHaveLength(1)
    expect(problems).toMatchObject([{ what: 'the vault tells of money that no Transfer before it moved' }])
  })

  it('name what a payment, a dividend and a reserve are for', () => {
    const { movements } = read([
      transfer('USDT', ada, vault, 1n),
      vaultEvent('Paid', { orderId: zeroHash, payer: ada, token: token('USDT'), amount: 1n, digest: zeroHash }),
      transfer('BTC', funder, vault, 2n),
      vaultEvent('DividendFunded', {
        day: 20_000,
        txid: zeroHash,
        funder,
        outputIndex: 7,
        token: token('BTC'),
        amount: 2n,
      }),
      transfer('BTN', funder, vault, 3n),
      vaultEvent('ReserveFunded', { kind: 1, funder, token: token('BTN'), amount: 3n }),
    ])
    expect(movements).toMatchObject([
      { kind: 'payment', from: ada, orderId: zeroHash },
      { kind: 'dividendFunding', day: 20_000, evidence: { txid: zeroHash, output: 7 } },
      { kind: 'reserveFunding', reserve: 'promotion' },
    ])
  })

  it('tell what leaves: burned, paid out, moved to cold storage', () => {
    const { movements, problems } = read([
      transfer('BTN', vault, zeroAddress, 1n),
      vaultEvent('Burned', { burnId: zeroHash, token: token('BTN'), amount: 1n }),
      transfer('USDT', vault, ada, 2n),
      vaultEvent('PayoutReleased', { id: zeroHash, to: ada, token: token('USDT'), amount: 2n }),
      transfer('BTC', vault, cold, 3n),
      vaultEvent('MovedToCold', { token: token('BTC'), coldStorage: cold, sent: 3n, arrived: 3n }),
    ])
    expect(problems).toEqual([])
    expect(movements.map(({ kind }) => kind)).toEqual(['burn', 'payout', 'coldMove'])
  })

  it('say what the vault did not pay, and why', () => {
    const id = (number: number) => pad(numberToHex(number), { size: 32 })
    const { movements, notPaid, problems } = read([
      vaultEvent('PayoutSkipped', { id: id(1), reason: 1 }),
      vaultEvent('PayoutSkipped', { id: id(2), reason: 2 }),
      vaultEvent('PayoutSkipped', { id: id(3), reason: 3 }),
      vaultEvent('PayoutRepeated', { id: id(4) }),
    ])
    expect({ movements, problems }).toEqual({ movements: [], problems: [] })
    expect(notPaid.map(({ payoutId, reason }) => [payoutId, reason])).toEqual([
      [id(1), 'cap'],
      [id(2), 'balance'],
      [id(3), 'token'],
      [id(4), 'repeated'],
    ])
  })

  it.each([
    ['the vault', vault],
    ['a cold address', cold],
  ])('are a problem where %s sends and nothing says why', (_who, from) => {
    const { movements, problems } = read([transfer('USDT', from, ben, 9n)])
    expect(movements).toEqual([])
    expect(problems).toMatchObject([{ what: expect.stringContaining('9 USDT left') }])
  })

  it('are a problem where less arrives in cold storage than was sent', () => {
    const { problems } = read([
      transfer('USDT', vault, cold, 99n),
      vaultEvent('MovedToCold', { token: token('USDT'), coldStorage: cold, sent: 100n, arrived: 99n }),
    ])
    expect(problems[0]).toMatchObject({ what: 'of 100 sent to cold storage 99 arrived' })
  })

  it.each([
    ['without a word', []],
    ['as a deposit', [deposited('BTC', formerCold, 4n)]],
    [
      'as a dividend',
      [
        vaultEvent('DividendFunded', {
          day: 1,
          txid: zeroHash,
          funder: formerCold,
          outputIndex: 0,
          token: token('BTC'),
          amount: 4n,
        }),
      ],
    ],
  ])('bring custody back where a cold address, present or former, sends %s', (_how, events) => {
    expect(read([transfer('BTC', formerCold, vault, 4n), ...events]).movements).toMatchObject([{ kind: 'coldReturn' }])
  })

  it('are the sender’s money where somebody sends it straight to cold storage', () => {
    expect(read([transfer('USDT', ada, cold, 4n)]).movements).toMatchObject([
      { kind: 'deposit', from: ada, into: 'cold' },
    ])
  })

  it('change nothing where the cold addresses move money between themselves', () => {
    expect(read([transfer('USDT', formerCold, cold, 4n)])).toEqual({
      movements: [],
      notPaid: [],
      poolAddresses: [],
      problems: [],
    })
  })

  it('make an address cold from the log on that names it', () => {
    const { movements, poolAddresses } = read(
      [
        transfer('USDT', cold, vault, 1n),
        vaultEvent('ColdStorageChanged', { previous: zeroAddress, current: cold }),
        transfer('USDT', cold, vault, 1n),
      ],
      new Set(),
    )
    expect(movements.map(({ kind }) => kind)).toEqual(['deposit', 'coldReturn'])
    expect(poolAddresses).toEqual([{ address: cold, role: 'cold', sinceBlock: 10n }])
  })

  it('tell who is a funder', () => {
    const role = keccak256(stringToHex('FUNDER'))
    const other = keccak256(stringToHex('PAYER'))
    const { poolAddresses } = read([
      vaultEvent('RoleGranted', { role, account: funder, sender: ada }),
      vaultEvent('RoleGranted', { role: other, account: ben, sender: ada }),
    ])
    expect(poolAddresses).toEqual([{ address: funder, role: 'funder', sinceBlock: 10n }])
  })

  it('are nothing where a token of somebody else’s, or an amount of zero, is moved', () => {
    expect(
      read([
        transferOf(address(99), ada, vault, 5n),
        transfer('USDT', ada, vault, 0n),
        { ...deposited('USDT', ada, 5n), address: address(98).toLowerCase() as Address },
      ]),
    ).toEqual({ movements: [], notPaid: [], poolAddresses: [], problems: [] })
  })
})

// Few accounts and amounts, so that many Transfers look the same.
const asset = fc.constantFrom(...assets)
const person = fc.constantFrom(ada, ben)
const amount = fc.bigInt({ min: 1n, max: 3n })

type Act = {
  logs: Parameters<typeof inTransaction>[0]
  comesFrom: Address
  asset: Asset
  amount: bigint
  told: boolean
}

const plain = fc.tuple(asset, person, amount).map(
  ([of, from, units]): Act => ({
    logs: [transfer(of, from, vault, units)],
    comesFrom: from,
    asset: of,
    amount: units,
    told: false,
  }),
)
const deposit = fc.tuple(asset, person, amount).map(
  ([of, from, units]): Act => ({
    logs: [transfer(of, from, vault, units), deposited(of, from, units)],
    comesFrom: from,
    asset: of,
    amount: units,
    told: true,
  }),
)
const acts = fc.array(fc.oneof(plain, deposit), { maxLength: 12 })

/** Merges the logs of several acts in any order that keeps the order within each act. */
const merged = (all: readonly Act[], order: readonly number[]) => {
  const queues = all.map(({ logs }) => [...logs])
  const logs: Act['logs'][number][] = []
  for (const choice of order) {
    const open = queues.filter(({ length }) => length > 0)
    const next = open[choice % Math.max(open.length, 1)]?.shift()
    if (next) logs.push(next)
  }
  return [...logs, ...queues.flat()]
}

describe('whatever is sent and told in one transaction, in whatever order', () => {
  it('every Transfer is credited once, to its sender, and every event is one of the credits', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(acts, fc.array(fc.nat(50), { maxLength: 24 }), (all, order) => {
        const { movements, problems } = read(merged(all, order))
        expect(problems).toEqual([])
        expect(movements).toHaveLength(all.length)
        expect(new Set(movements.map(({ log }) => log.logIndex)).size).toBe(all.length)
        const sum = (entries: readonly { from: Address; asset: Asset; amount: bigint }[]) => {
          const sums = new Map<string, bigint>()
          for (const entry of entries) {
            const key = `${entry.from} ${entry.asset}`
            sums.set(key, (sums.get(key) ?? 0n) + entry.amount)
          }
          return Object.fromEntries(Array.from(sums).toSorted())
        }
        const credited = movements.flatMap((movement) => ('from' in movement ? [movement] : []))
        expect(sum(credited)).toEqual(sum(all.map((act) => ({ ...act, from: act.comesFrom }))))
      }),
      { numRuns: 500 },
    )
  })

  it('an event without its Transfer is told as a problem and credits nobody', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(acts, person, (all, somebody) => {
        // An amount that no Transfer has.
        const lone = deposited('USDT', somebody, 1_000n)
        const { movements, problems } = read([...all.flatMap(({ logs }) => logs), lone])
        expect(problems).toHaveLength(1)
        expect(movements).toHaveLength(all.length)
      }),
    )
  })
})
