import { describe, expect, it } from 'vitest'
import { deviceId } from './device.ts'
import { openStorage } from './storage.ts'

const freshStorage = () => openStorage(() => undefined)

describe('the id of a browser', () => {
  it('is made once and kept', () => {
    const storage = freshStorage()
    const id = deviceId(storage)
    expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect(deviceId(storage)).toBe(id)
  })

  it('is different in another browser', () => {
    const ids = new Set(Array.from({ length: 1_000 }, () => deviceId(freshStorage())))
    expect(ids.size).toBe(1_000)
  })

  it('is made again if the stored value is invalid', () => {
    const storage = freshStorage()
    storage.setItem('device', '<script>')
    expect(deviceId(storage)).toMatch(/^[A-Za-z0-9_-]{22}$/)
  })
})
