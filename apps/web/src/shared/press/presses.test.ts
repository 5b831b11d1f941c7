import { describe, expect, it } from 'vitest'
import type { ListedStorage } from '../session/index.ts'
import { createPresses, newKey, type Press } from './presses.ts'

const ACCOUNT = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
const press: Press & { readonly level: number } = {
  key: 'a'.repeat(32),
  account: ACCOUNT,
  pressedAt: 1_000_000,
  level: 2,
}
const kind = {
  name: 'order',
  from: (stored: unknown) =>
    typeof stored === 'object' && stored !== null && 'level' in stored && typeof stored.level === 'number'
      ? (stored as typeof press)
      : null,
}

/** A storage whose values the test can read. */
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
    const presses = createPresses(kind, storing().storage, () => press.pressedAt)
    presses.keep(press)
    expect(presses.keptOf(ACCOUNT.toLowerCase())).toEqual([press])
    expect(presses.keptOf('0x0000000000000000000000000000000000000001')).toEqual([])
    presses.drop(press)
    expect(presses.keptOf(ACCOUNT)).toEqual([])
  })

  it('is forgotten after a day, and what is no press of its kind is left alone', () => {
    const { storage, values } = storing()
    let now = press.pressedAt
    const presses = createPresses(kind, storage, () => now)
    values.set(`order.1.${ACCOUNT.toLowerCase()}.broken`, '{"key":')
    values.set(`order.1.${ACCOUNT.toLowerCase()}.other`, JSON.stringify({ ...press, level: 'two' }))
    expect(presses.keptOf(ACCOUNT)).toEqual([])
    presses.keep(press)
    now += 25 * 3_600_000
    expect(presses.keptOf(ACCOUNT)).toEqual([])
  })

  it('is sent also where the browser keeps nothing', () => {
    const full = {
      ...storing().storage,
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(() => createPresses(kind, full, () => 0).keep(press)).not.toThrow()
  })

  it('has a key of its own', () => {
    const keys = new Set(Array.from({ length: 1_000 }, newKey))
    expect(keys.size).toBe(1_000)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})
