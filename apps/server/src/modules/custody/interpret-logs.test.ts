import { type Asset, assets } from '@lode/kernel'
import fc from 'fast-check'
import { type Address, keccak256, numberToHex, pad, stringToHex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { address, testContracts as pool } from '../../testing/contracts.ts'
import { findUnknownMove, interpretLogs } from './interpret-logs.ts'
import { placeInTransaction, tokenTransferLog, transferLog, vaultEventLog } from './testing/logs.ts'

const { vault } = pool
const [ada, ben, cold, formerCold, funder] = [1, 2, 3, 4, 5].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const token = (asset: Asset) => pool.tokens[asset].address
const coldAddresses = new Set([cold, formerCold])

const read = (logs: Parameters<typeof placeInTransaction>[0], coldNow: ReadonlySet<Address> = coldAddresses) =>
  interpretLogs(placeInTransaction(logs), pool, coldNow)

const deposited = (asset: Asset, from: Address, amount: bigint) =>
  vaultEventLog('Deposited', { from, token: token(asset), amount })

describe('interpreting the logs of a chain transaction', () => {
  it('pairs a Transfer with its vault event and reports one deposit', () => {
    const { movements, problems } = read([transferLog('USDT', ada, vault, 5n), deposited('USDT', ada, 5n)])
    expect(problems).toEqual([])
    expect(movements).toMatchObject([{ kind: 'deposit', from: ada, amount: 5n, into: 'vault', log: { logIndex: 1 } }])
  })

  it('reports a Transfer without a vault event as a deposit', () => {
    expect(read([transferLog('BTC', ada, vault, 5n)]).movements).toMatchObject([
      { kind: 'deposit', from: ada, asset: 'BTC', amount: 5n },
    ])
  })

  it('pairs an event with the nearest earlier Transfer and reports the other as a plain transfer', () => {
    const { movements } = read([
      transferLog('USDT', ada, vault, 5n),
      transferLog('USDT', ada, vault, 5n),
      deposited('USDT', ada, 5n),
    ])
    expect(movements.map(({ log, kind }) => [log.logIndex, kind])).toEqual([
      [0, 'deposit'],
      [2, 'deposit'],
    ])
  })

  it('does not pair an event with a Transfer of another token', () => {
    const { movements, problems } = read([transferLog('BTC', ada, vault, 5n), deposited('USDT', ada, 5n)])
    expect(movements).toMatchObject([{ kind: 'deposit', asset: 'BTC', log: { logIndex: 0 } }])
    expect(problems).toMatchObject([{ text: 'a vault event has no matching Transfer before it' }])
  })

  it('does not pair logs of different transactions', () => {
    const logs = [
      ...placeInTransaction([transferLog('USDT', ada, vault, 5n)], { tx: 1 }),
      ...placeInTransaction([deposited('USDT', ada, 5n)], { tx: 2 }),
    ]
    const { movements, problems } = interpretLogs(logs, pool, coldAddresses)
    expect(movements).toHaveLength(1)
    expect(problems).toMatchObject([{ text: 'a vault event has no matching Transfer before it' }])
  })

  it('reads the order of a payment, the day of a dividend and the kind of a reserve', () => {
    const { movements } = read([
      transferLog('USDT', ada, vault, 1n),
      vaultEventLog('Paid', { orderId: zeroHash, payer: ada, token: token('USDT'), amount: 1n, digest: zeroHash }),
      transferLog('BTC', funder, vault, 2n),
      vaultEventLog('DividendFunded', {
        day: 20_000,
        txid: zeroHash,
        funder,
        outputIndex: 7,
        token: token('BTC'),
        amount: 2n,
      }),
      transferLog('BTN', funder, vault, 3n),
      vaultEventLog('ReserveFunded', { kind: 1, funder, token: token('BTN'), amount: 3n }),
    ])
    expect(movements).toMatchObject([
      { kind: 'payment', from: ada, orderId: zeroHash },
      { kind: 'dividendFunding', day: 20_000, evidence: { txid: zeroHash, output: 7 } },
      { kind: 'reserveFunding', reserve: 'promotion' },
    ])
  })

  it('recognizes burns, payouts and moves to cold storage', () => {
    const { movements, problems } = read([
      transferLog('BTN', vault, zeroAddress, 1n),
      vaultEventLog('Burned', { burnId: zeroHash, token: token('BTN'), amount: 1n }),
      transferLog('USDT', vault, ada, 2n),
      vaultEventLog('PayoutReleased', { id: zeroHash, to: ada, token: token('USDT'), amount: 2n }),
      transferLog('BTC', vault, cold, 3n),
      vaultEventLog('MovedToCold', { token: token('BTC'), coldStorage: cold, sent: 3n, arrived: 3n }),
    ])
    expect(problems).toEqual([])
    expect(movements.map(({ kind }) => kind)).toEqual(['burn', 'payout', 'coldMove'])
  })

  it('reports each payout that the vault did not make, with the reason', () => {
    const id = (number: number) => pad(numberToHex(number), { size: 32 })
    const { movements, notPaid, problems } = read([
      vaultEventLog('PayoutSkipped', { id: id(1), reason: 1 }),
      vaultEventLog('PayoutSkipped', { id: id(2), reason: 2 }),
      vaultEventLog('PayoutSkipped', { id: id(3), reason: 3 }),
      vaultEventLog('PayoutRepeated', { id: id(4) }),
      // Reasons that the vault never gives: "released", and one that this program does not know.
      vaultEventLog('PayoutSkipped', { id: id(5), reason: 0 }),
      vaultEventLog('PayoutSkipped', { id: id(6), reason: 9 }),
    ])
    expect({ movements, problems }).toEqual({ movements: [], problems: [] })
    expect(notPaid.map(({ payoutId, reason }) => [payoutId, reason])).toEqual([
      [id(1), 'cap'],
      [id(2), 'balance'],
      [id(3), 'token'],
      [id(4), 'repeated'],
      [id(5), 'token'],
      [id(6), 'token'],
    ])
  })

  it.each([
    ['the vault', vault],
    ['a cold address', cold],
  ])('reports a problem if money leaves %s without a vault event', (_who, from) => {
    const { movements, problems } = read([transferLog('BTC', from, ben, 100_000n)])
    expect(movements).toEqual([])
    expect(problems).toMatchObject([{ text: expect.stringMatching(/^0\.001 BTC left/) }])
  })

  it.each([
    ['beside it', [transferLog('USDT', vault, cold, 99n), transferLog('USDT', vault, ada, 1n)]],
    ['from what arrived', [transferLog('USDT', vault, cold, 100n), transferLog('USDT', cold, ada, 1n)]],
    ['without a log', [transferLog('USDT', vault, cold, 100n)]],
  ])('reports one problem if a token takes a fee of a move to cold storage, %s', (_how, transfers) => {
    const { problems, movements } = read([
      ...transfers,
      vaultEventLog('MovedToCold', { token: token('USDT'), coldStorage: cold, sent: 100n, arrived: 99n }),
    ])
    expect(movements).toEqual([])
    expect(problems).toMatchObject([
      {
        text: 'of 0.0001 USDT sent to cold storage 0.000099 USDT arrived',
        loss: { asset: 'USDT', amount: 1n, place: 'vault', arrived: 99n },
      },
    ])
  })

  it.each([
    ['without a vault event', []],
    ['as a deposit', [deposited('BTC', formerCold, 4n)]],
    [
      'as a dividend',
      [
        vaultEventLog('DividendFunded', {
          day: 1,
          txid: zeroHash,
          funder: formerCold,
          outputIndex: 0,
          token: token('BTC'),
          amount: 4n,
        }),
      ],
    ],
  ])('reports money from a present or former cold address as a return, sent %s', (_how, events) => {
    expect(read([transferLog('BTC', formerCold, vault, 4n), ...events]).movements).toMatchObject([
      { kind: 'coldReturn' },
    ])
  })

  it('credits the sender of money that was sent directly to cold storage', () => {
    expect(read([transferLog('USDT', ada, cold, 4n)]).movements).toMatchObject([
      { kind: 'deposit', from: ada, into: 'cold' },
    ])
  })

  it('ignores transfers between cold addresses', () => {
    expect(read([transferLog('USDT', formerCold, cold, 4n)])).toEqual({
      movements: [],
      notPaid: [],
      poolAddresses: [],
      problems: [],
    })
  })

  it('treats an address as cold storage from the log that names it', () => {
    const { movements, poolAddresses } = read(
      [
        transferLog('USDT', cold, vault, 1n),
        vaultEventLog('ColdStorageChanged', { previous: zeroAddress, current: cold }),
        transferLog('USDT', cold, vault, 1n),
      ],
      new Set(),
    )
    expect(movements.map(({ kind }) => kind)).toEqual(['deposit', 'coldReturn'])
    expect(poolAddresses).toEqual([{ address: cold, role: 'cold', sinceBlock: 10n }])
  })

  it('reads which addresses became funders', () => {
    const role = keccak256(stringToHex('FUNDER'))
    const other = keccak256(stringToHex('PAYER'))
    const { poolAddresses } = read([
      vaultEventLog('RoleGranted', { role, account: funder, sender: ada }),
      vaultEventLog('RoleGranted', { role: other, account: ben, sender: ada }),
    ])
    expect(poolAddresses).toEqual([{ address: funder, role: 'funder', sinceBlock: 10n }])
  })

  it('ignores other tokens and amounts of zero', () => {
    expect(
      read([
        tokenTransferLog(address(99), ada, vault, 5n),
        transferLog('USDT', ada, vault, 0n),
        { ...deposited('USDT', ada, 5n), address: address(98).toLowerCase() as Address },
      ]),
    ).toEqual({ movements: [], notPaid: [], poolAddresses: [], problems: [] })
  })
})

// Few accounts and amounts, so that many Transfers look the same.
const asset = fc.constantFrom(...assets)
const person = fc.constantFrom(ada, ben)
const amount = fc.bigInt({ min: 1n, max: 3n })

type SimulatedTransfer = {
  logs: Parameters<typeof placeInTransaction>[0]
  comesFrom: Address
  asset: Asset
  amount: bigint
  told: boolean
}

const plain = fc.tuple(asset, person, amount).map(
  ([of, from, units]): SimulatedTransfer => ({
    logs: [transferLog(of, from, vault, units)],
    comesFrom: from,
    asset: of,
    amount: units,
    told: false,
  }),
)
const deposit = fc.tuple(asset, person, amount).map(
  ([of, from, units]): SimulatedTransfer => ({
    logs: [transferLog(of, from, vault, units), deposited(of, from, units)],
    comesFrom: from,
    asset: of,
    amount: units,
    told: true,
  }),
)
const simulatedTransfers = fc.array(fc.oneof(plain, deposit), { maxLength: 12 })

/** Merges the logs of several acts in any order that keeps the order within each act. */
const mergeLogs = (all: readonly SimulatedTransfer[], order: readonly number[]) => {
  const queues = all.map(({ logs }) => [...logs])
  const logs: SimulatedTransfer['logs'][number][] = []
  for (const choice of order) {
    const open = queues.filter(({ length }) => length > 0)
    const next = open[choice % Math.max(open.length, 1)]?.shift()
    if (next) logs.push(next)
  }
  return [...logs, ...queues.flat()]
}

describe('random Transfers and events of one chain transaction, in any order', () => {
  it('credit every Transfer once to its sender, and every event is one of these credits', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(simulatedTransfers, fc.array(fc.nat(50), { maxLength: 24 }), (all, order) => {
        const { movements, problems } = read(mergeLogs(all, order))
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

  it('report an event without a Transfer as a problem, which credits nobody', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(simulatedTransfers, person, (all, somebody) => {
        // An amount that no Transfer has.
        const lone = deposited('USDT', somebody, 1_000n)
        const { movements, problems } = read([...all.flatMap(({ logs }) => logs), lone])
        expect(problems).toHaveLength(1)
        expect(movements).toHaveLength(all.length)
      }),
    )
  })
})

describe('after a move to the next vault', () => {
  const next = address(0xb0)
  const moved = { ...pool, vault: next, formerVaults: [vault] }
  const readMoved = (logs: Parameters<typeof placeInTransaction>[0]) =>
    interpretLogs(placeInTransaction(logs), moved, coldAddresses)
  const movedToSuccessor = (sent: bigint, arrived: bigint) =>
    vaultEventLog('MovedToSuccessor', { token: token('USDT'), successor: next, sent, arrived })

  it('the move itself changes nothing, and only a move to a vault that is not the pool’s must be waited for', () => {
    const move = [transferLog('USDT', vault, next, 100n), movedToSuccessor(100n, 100n)]
    expect(readMoved(move)).toMatchObject({ movements: [], problems: [] })
    expect(findUnknownMove(placeInTransaction(move), moved)).toBeUndefined()
    expect(findUnknownMove(placeInTransaction(move), pool)).toEqual({ blockNumber: 10n, from: vault, successor: next })
  })

  it('what the token took as a fee of the move is a loss', () => {
    const { movements, problems } = readMoved([
      transferLog('USDT', vault, next, 99n),
      transferLog('USDT', vault, ada, 1n),
      movedToSuccessor(100n, 99n),
    ])
    expect(movements).toEqual([])
    expect(problems).toMatchObject([
      {
        text: 'of 0.0001 USDT sent to the next vault 0.000099 USDT arrived',
        loss: { asset: 'USDT', amount: 1n, place: 'vault', arrived: 0n },
      },
    ])
  })

  it('a late transfer to the old vault is a deposit, and one to the next vault too', () => {
    const { movements } = readMoved([transferLog('USDT', ada, vault, 3n), transferLog('USDT', ben, next, 4n)])
    expect(movements).toMatchObject([
      { kind: 'deposit', from: ada, into: 'vault', amount: 3n },
      { kind: 'deposit', from: ben, into: 'vault', amount: 4n },
    ])
  })

  it('a payout of the old vault to the next one is paid, and comes in again for nobody', () => {
    const { movements, problems } = readMoved([
      transferLog('USDT', vault, next, 2n),
      vaultEventLog('PayoutReleased', { id: zeroHash, to: next, token: token('USDT'), amount: 2n }),
    ])
    expect(problems).toEqual([])
    expect(movements).toMatchObject([
      { kind: 'deposit', from: vault, into: 'vault', amount: 2n, log: { logIndex: 0 } },
      { kind: 'payout', to: next, amount: 2n, log: { logIndex: 1 } },
    ])
    // Both logs are posted, each for itself.
    expect(movements.every(({ transferIndex }) => transferIndex === undefined)).toBe(true)
  })
})
