import { describe, expect, it } from 'vitest'
import { recover } from './recovery.ts'

function page() {
  const values = new Map<string, string>()
  const memory = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
  let reloads = 0
  return { memory, online: true, build: 'main-1.js', reload: () => void reloads++, count: () => reloads }
}

describe('a part of the app that cannot be loaded', () => {
  it('reloads the page once', () => {
    const here = page()
    expect(recover(here)).toBe(true)
    expect(recover(here)).toBe(false)
    expect(here.count()).toBe(1)
  })

  it('reloads once more when another version has come since', () => {
    const here = page()
    recover(here)
    expect(recover({ ...here, build: 'main-2.js' })).toBe(true)
    expect(here.count()).toBe(2)
  })

  it('does not reload without a network', () => {
    const here = page()
    expect(recover({ ...here, online: false })).toBe(false)
    expect(here.count()).toBe(0)
  })

  it('does not reload where nothing would stop it from reloading for ever', () => {
    const here = page()
    expect(recover({ ...here, memory: undefined })).toBe(false)
    expect(here.count()).toBe(0)
  })
})
