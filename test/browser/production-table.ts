import { formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

const P = 10n ** 36n

type Days = DataOf<'pool/days'>['items']
type DayLines = DataOf<'pledge/days'>['items']
type Records = DataOf<'pledge/records'>['items']

const btc = (amount: bigint): string => formatAmount(units('BTC', amount), 8)

/** A table of days as the pool would close them, with one pledge of the member that runs from the second day on. */
export function makeProductionTable(first: number, funded: readonly bigint[]) {
  const [own, others] = [150_015_000n, 1_120_000_000n]
  let [A, R] = [0n, 0n]
  const days: Days = []
  const lines: DayLines = []
  funded.forEach((F, place) => {
    const day = first + place
    const S = place === 0 ? others : own + others
    const N = F * P + R
    const before = A
    const q = N / S
    A += q
    R = N - q * S
    days.unshift({
      day,
      closedAt: new Date((day + 1.5) * 86_400_000).toISOString(),
      fundings:
        F === 0n
          ? []
          : [
              {
                tx: hash(day, 64, '0x'),
                day,
                amount: btc(F),
                bitcoinTx: hash(day * 7, 64),
                bitcoinOutput: 1,
                evidence: 'unchecked',
                bitcoinValue: null,
              },
            ],
      F: btc(F),
      X: '0',
      T: '0',
      C: '0',
      Z: '0',
      S: String(S),
      q: String(q),
      A: String(A),
      R: String(R),
    })
    if (place === 0) return
    const base = BigInt(days.at(-1)?.A ?? '0')
    const amount = (own * (A - base)) / P - (own * (before - base)) / P
    lines.unshift({ day, weight: String(own), totalWeight: String(S), amount: btc(amount) })
  })
  const records: Records = [
    {
      ...({ id: 'b6f7a1c2-0000-4000-8000-000000000001', type: 'pledge', source: 'pledge', symbol: 'BTN' } as const),
      ...({ status: 'enable', amount: '10001', effective: '15001.5', termWeight: 15_000 } as const),
      at: new Date((first + 0.4) * 86_400_000).toISOString(),
      startDay: first + 1,
      endDay: first + 361,
      day: funded.length - 1,
      days: 360,
      produced: '0.00041872',
      collected: '0.01234567',
      returnedAt: null,
      settledAt: null,
      ...({ failure: null, balancePart: '0', payAmount: '10001' } as const),
    },
  ]
  return { days, lines, records }
}

const hash = (seed: number, length: number, prefix = ''): `0x${string}` =>
  `${prefix}${(BigInt(seed) * 0x9e3779b97f4a7c15f39cc0605cedc834n).toString(16).repeat(3).slice(0, length)}` as `0x${string}`
