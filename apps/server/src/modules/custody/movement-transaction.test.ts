import { type Asset, MAX_UNITS } from '@lode/kernel'
import { pad, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { address, testContracts as pool } from '../../testing/contracts.ts'
import type { Movement } from './interpret-logs.ts'
import { buildMovementTransaction, chainLogTerms } from './movement-transaction.ts'
import { placeInTransaction, transferLog } from './testing/logs.ts'

const CHAIN = 31337
const MEMBER = 7n
const [ada, stranger] = [address(1), address(2)]
const memberOf = (one: string) => (one === ada ? MEMBER : undefined)

const [log] = placeInTransaction([transferLog('USDT', ada, pool.vault, 5n)])
if (!log) throw new Error('no log')
const key = `chain:${CHAIN}:${log.tx}:${log.logIndex}`
const of = (asset: Asset, amount = 5n) => ({ log, asset, amount })
type Posted = Exclude<Movement, { kind: 'payout' }>
const build = (movement: Posted) => buildMovementTransaction(movement, CHAIN, memberOf)

/** The type, and each move as `amount asset from → to`. */
function summaryOf(movement: Posted): string[] {
  const built = build(movement)
  if ('unpostable' in built) return [built.unpostable]
  expect(built).toMatchObject({ key, terms: chainLogTerms(movement) })
  const nameOf = (account: (typeof built.moves)[number]['from' | 'to']): string =>
    typeof account === 'string' ? account : [account.kind, 'member' in account ? account.member : ''].join(' ').trim()
  return [
    built.type,
    ...built.moves.map(({ amount, asset, from, to }) => `${amount} ${asset} ${nameOf(from)} → ${nameOf(to)}`),
  ]
}

describe('the ledger transaction of a final log', () => {
  it.each<[string, Posted, string[]]>([
    [
      'a deposit of a member',
      { ...of('USDT'), kind: 'deposit', from: ada, into: 'vault' },
      ['deposit', '5 USDT custody:vault → available 7'],
    ],
    [
      'a deposit of a stranger',
      { ...of('USDT'), kind: 'deposit', from: stranger, into: 'vault' },
      ['suspenseDeposit', '5 USDT custody:vault → suspense:address'],
    ],
    [
      'money that a member sent to cold storage',
      { ...of('USDT'), kind: 'deposit', from: ada, into: 'cold' },
      ['suspenseDeposit', '5 USDT custody:cold → suspense:address'],
    ],
    [
      'a payment that settles no order',
      { ...of('BTN'), kind: 'payment', from: ada, orderId: zeroHash },
      ['deposit', '5 BTN custody:vault → available 7'],
    ],
    [
      'dividend funding',
      { ...of('BTC'), kind: 'dividendFunding', from: ada, day: 1, evidence: { txid: zeroHash, output: 0 } },
      ['dividendFunding', '5 BTC custody:vault → dividend:funded'],
    ],
    [
      'reserve funding',
      { ...of('BTN'), kind: 'reserveFunding', from: ada, reserve: 'promotion' },
      ['reserveFunding', '5 BTN custody:vault → reserve:promotion'],
    ],
    ['a move to cold storage', { ...of('BTC'), kind: 'coldMove' }, ['coldMove', '5 BTC custody:cold → custody:vault']],
    [
      'a return from cold storage',
      { ...of('BTC'), kind: 'coldReturn' },
      ['coldReturn', '5 BTC custody:vault → custody:cold'],
    ],
    [
      'a loss of cold storage that was written off',
      { ...of('BTC'), kind: 'writeOff', place: 'cold', arrived: 0n, isBurn: false },
      ['writeOff', '5 BTC pool:loss → custody:cold'],
    ],
    [
      'a move to cold storage of which less arrived, and the rest was written off',
      { ...of('USDT'), kind: 'writeOff', place: 'vault', arrived: 95n, isBurn: false },
      ['writeOff', '5 USDT pool:loss → custody:vault', '95 USDT custody:cold → custody:vault'],
    ],
    ['a burn', { ...of('BTN'), kind: 'burn' }, ['burn', '5 BTN burn:due → custody:vault']],
  ])('is right for %s', (_what, movement, expected) => {
    expect(summaryOf(movement)).toEqual(expected)
  })

  it.each<[string, Posted, string]>([
    [
      'dividend funding in another asset than BTC',
      { ...of('USDT'), kind: 'dividendFunding', from: ada, day: 1, evidence: { txid: zeroHash, output: 0 } },
      'dividendFunding in USDT has no account in the ledger',
    ],
    [
      'reserve funding in another asset than BTN',
      { ...of('BTC'), kind: 'reserveFunding', from: ada, reserve: 'airdrop' },
      'reserveFunding in BTC has no account in the ledger',
    ],
    ['a burn of another asset than BTN', { ...of('BTC'), kind: 'burn' }, 'burn in BTC has no account in the ledger'],
    [
      'more than the ledger can hold',
      { ...of('USDT', MAX_UNITS + 1n), kind: 'deposit', from: ada, into: 'vault' },
      `${MAX_UNITS + 1n} smallest units of USDT are more than the ledger can hold`,
    ],
  ])('does not exist for %s', (_what, movement, because) => {
    expect(build(movement)).toEqual({ unpostable: because })
  })

  it('exists for the largest amount', () => {
    expect(summaryOf({ ...of('USDT', MAX_UNITS), kind: 'deposit', from: ada, into: 'vault' })[0]).toBe('deposit')
  })
})

describe('the terms of a log', () => {
  it('are its address, topics and data, so that a log with one other byte is another log', () => {
    const terms = (change: Partial<typeof log>) =>
      chainLogTerms({ ...of('USDT'), kind: 'burn', log: { ...log, ...change } })
    const changed = [
      terms({}),
      terms({ address: pad('0x1', { size: 20 }) }),
      terms({ topics: log.topics.slice(1) }),
      terms({ data: pad('0x6') }),
    ]
    expect(new Set(changed).size).toBe(changed.length)
    expect(terms({ blockNumber: 99n })).toBe(terms({}))
  })
})
