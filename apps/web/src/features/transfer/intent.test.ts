import { describe, expect, it } from 'vitest'
import type { ListedStorage } from '../../shared/session/index.ts'
import { createIntents, type Intent, isSamePress, newKey, orderOf, type TransferOrder } from './intent.ts'

const ACCOUNT = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
const press: Intent = {
  ...{ key: 'a'.repeat(32), account: ACCOUNT, planVersion: 1, address: ACCOUNT, symbol: 'USDT', amount: '250' },
  ...{ shownAt: '2026-11-15T12:00:00.000Z', pressedAt: 1_000_000 },
}

const order = (more: Partial<TransferOrder> = {}): TransferOrder => ({
  ...{ id: '00000000-0000-4000-8000-000000000001', type: 2, status: 2, state: 'approved', symbol: 'USDT' },
  ...{ amount: '250', fee: '1', address: ACCOUNT.toLowerCase(), own: true, planVersion: 1 },
  ...{ requestedAt: '2026-11-15T12:00:05.000Z', holds: [], queue: null, cancellable: true, steps: [] },
  ...{ tx: null, note: null, ...more },
})

/** Memory that can be looked into. */
function storing() {
  const values = new Map<string, string>()
  const storage: ListedStorage = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => Array.from(values.keys()),
    lasts: true,
  }
  return { values, storage }
}

describe('a press of the button', () => {
  it('is kept for its account until it is known what came of it', () => {
    const { storage } = storing()
    const intents = createIntents(storage, () => press.pressedAt)
    intents.keep(press)
    expect(intents.keptOf(ACCOUNT.toLowerCase())).toEqual([press])
    expect(intents.keptOf('0x0000000000000000000000000000000000000001')).toEqual([])
    intents.drop(press)
    expect(intents.keptOf(ACCOUNT)).toEqual([])
  })

  it('is forgotten after a day, and what somebody else wrote there is left alone', () => {
    const { storage, values } = storing()
    const intents = createIntents(storage, () => press.pressedAt + 25 * 3_600_000)
    intents.keep(press)
    values.set(`transfer.1.${ACCOUNT.toLowerCase()}.broken`, '{"key":')
    values.set(`transfer.1.${ACCOUNT.toLowerCase()}.other`, JSON.stringify({ ...press, amount: '-1' }))
    expect(intents.keptOf(ACCOUNT)).toEqual([])
  })

  it('is sent also where the browser keeps nothing', () => {
    const { storage } = storing()
    const full = {
      ...storage,
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(() => createIntents(full, () => 0).keep(press)).not.toThrow()
  })

  it('is the same again with the same terms, and another with any other', () => {
    expect(isSamePress(press, { ...press, address: ACCOUNT.toLowerCase() })).toBe(true)
    for (const other of [
      { amount: '251' },
      { symbol: 'BTC' as const },
      { planVersion: 2 },
      { address: `0x${'1'.repeat(40)}` },
    ])
      expect(isSamePress(press, { ...press, ...other })).toBe(false)
  })

  it('is found in the pool’s list by its terms and its time', () => {
    const made = order()
    expect(orderOf(press, [order({ amount: '99' }), made])).toBe(made)
    expect(orderOf(press, [order({ requestedAt: '2026-11-15T11:59:59.999Z' })])).toBeUndefined()
    const later = order({ requestedAt: '2026-11-15T12:07:00.000Z' })
    expect(orderOf(press, [later, made])).toBe(made)
  })

  it('has a key of its own', () => {
    const keys = new Set(Array.from({ length: 1_000 }, newKey))
    expect(keys.size).toBe(1_000)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})
