import type { Asset } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { computeHoldings } from './holdings.ts'

describe('the holdings of a pool', () => {
  it('are what it owes plus what it owns, in the vault and in cold storage', () => {
    const balances: Partial<Record<`${string} ${Asset}`, bigint>> = {
      'custody:vault USDT': -900n,
      'custody:cold USDT': -100n,
      'pool:mining USDT': 65n,
      'pool:liquidity USDT': 5n,
      'pool:operations USDT': 2n,
      'pool:paying USDT': 8n,
      // Owed, although no member owns it yet.
      'partner:funded USDT': 3n,
      'suspense:returning USDT': 4n,
      'custody:vault BTN': -1_010n,
      'reserve:airdrop BTN': 300n,
      'reserve:promotion BTN': 200n,
      'reserve:liquidity BTN': 250n,
      'reserve:mining BTN': 250n,
      'burn:due BTN': 10n,
    }
    expect(computeHoldings((kind, asset) => balances[`${kind} ${asset}`] ?? 0n)).toEqual([
      { symbol: 'USDT', held: 1_000n, cold: 100n, owed: 920n, own: 80n, missing: 0n },
      { symbol: 'BTN', held: 1_010n, cold: 0n, owed: 10n, own: 1_000n, missing: 0n },
      { symbol: 'BTC', held: 0n, cold: 0n, owed: 0n, own: 0n, missing: 0n },
    ])
  })
  it('are what it owes plus what it owns, less what is missing', () => {
    // Members own 100, the pool 30; 40 of the 130 were stolen.
    const balances: Partial<Record<string, bigint>> = {
      'custody:vault USDT': -90n,
      'pool:mining USDT': 30n,
      'pool:loss USDT': -40n,
    }
    expect(computeHoldings((kind, asset) => balances[`${kind} ${asset}`] ?? 0n)[0]).toEqual({
      symbol: 'USDT',
      held: 90n,
      cold: 0n,
      owed: 100n,
      own: 30n,
      missing: 40n,
    })
  })
})
