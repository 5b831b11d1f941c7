import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createOpaqueIds } from './opaque-ids.ts'

const SECRET = 'a secret that only this test knows'
const ids = createOpaqueIds(SECRET, 'test')

describe('an opaque id', () => {
  it('identifies the member for its viewer, and is always the same', () => {
    for (const member of [1n, 2n, 77n, 2n ** 53n + 1n, 2n ** 62n]) {
      const id = ids.encode(5n, member)
      expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/)
      expect(ids.encode(5n, member)).toBe(id)
      expect(ids.decode(5n, id)).toBe(member)
    }
  })

  it('is different for every viewer, and invalid for all other viewers', () => {
    const told = Array.from({ length: 50 }, (_, viewer) => ids.encode(BigInt(viewer), 7n))
    expect(new Set(told).size).toBe(50)
    told.forEach((id, owner) => {
      for (let viewer = 0; viewer < 50; viewer += 1)
        expect(ids.decode(BigInt(viewer), id)).toBe(viewer === owner ? 7n : null)
    })
  })

  it('cannot be invented, spelled differently, or changed in one bit', () => {
    const id = ids.encode(5n, 7n)
    for (let tries = 0; tries < 1_000; tries += 1)
      expect(ids.decode(5n, randomBytes(16).toString('base64url'))).toBeNull()
    const bytes = Buffer.from(id, 'base64url')
    for (let bit = 0; bit < 128; bit += 1) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(ids.decode(5n, changed.toString('base64url'))).toBeNull()
    }
    const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.replace(id.at(-1) ?? '', '')
    for (const last of others) expect(ids.decode(5n, id.slice(0, -1) + last)).toBeNull()
    for (const text of ['', 'x', `${id}A`, '7']) expect(ids.decode(5n, text)).toBeNull()
  })

  it('is valid for one purpose and one secret only', () => {
    const id = ids.encode(5n, 7n)
    expect(createOpaqueIds(SECRET, 'other').decode(5n, id)).toBeNull()
    expect(createOpaqueIds(`${SECRET}.`, 'test').decode(5n, id)).toBeNull()
  })
})
