import { describe, expect, it } from 'vitest'
import type { ListedStorage } from '../session/index.ts'
import { createPressStore, newKey, type Press } from './press-store.ts'

const ACCOUNT = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
const press: Press & { readonly level: number } = {
  key: 'a'.repeat(32),
  account: ACCOUNT,
  pressedAt: 1_000_000,
  level: 2,
}
const kind = {
  name: 'order',
  parse: (stored: unknown) =>
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

describe('a stored press', () => {
  it('is kept for its account until its outcome is known', () => {
    const presses = createPressStore(kind, storing().storage, () => press.pressedAt)
    presses.save(press)
    expect(presses.pendingOf(ACCOUNT.toLowerCase())).toEqual([press])
    expect(presses.pendingOf('0x0000000000000000000000000000000000000001')).toEqual([])
    presses.remove(press)
    expect(presses.pendingOf(ACCOUNT)).toEqual([])
  })

  it('is dropped after a day, and other stored values are ignored', () => {
    const { storage, values } = storing()
    let now = press.pressedAt
    const presses = createPressStore(kind, storage, () => now)
    values.set(`order.1.${ACCOUNT.toLowerCase()}.broken`, '{"key":')
    values.set(`order.1.${ACCOUNT.toLowerCase()}.other`, JSON.stringify({ ...press, level: 'two' }))
    expect(presses.pendingOf(ACCOUNT)).toEqual([])
    presses.save(press)
    now += 24 * 3_600_000 - 1
    expect(presses.pendingOf(ACCOUNT)).toEqual([press])
    now += 1
    expect(presses.pendingOf(ACCOUNT)).toEqual([])
  })

  it('is listed with the others of its account, the oldest first', () => {
    const presses = createPressStore(kind, storing().storage, () => press.pressedAt)
    const [older, newest] = [
      { ...press, key: 'b'.repeat(32), pressedAt: press.pressedAt - 1 },
      { ...press, key: 'c'.repeat(32), pressedAt: press.pressedAt + 1 },
    ]
    for (const one of [newest, press, older]) presses.save(one)
    expect(presses.pendingOf(ACCOUNT)).toEqual([older, press, newest])
  })

  it('causes no error if the browser cannot store it', () => {
    const full = {
      ...storing().storage,
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(() => createPressStore(kind, full, () => 0).save(press)).not.toThrow()
  })

  it('has a unique key', () => {
    const keys = new Set(Array.from({ length: 1_000 }, newKey))
    expect(keys.size).toBe(1_000)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})
