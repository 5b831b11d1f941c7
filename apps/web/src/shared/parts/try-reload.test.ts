import { describe, expect, it } from 'vitest'
import { tryReload } from './try-reload.ts'

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
    expect(tryReload(here)).toBe(true)
    expect(tryReload(here)).toBe(false)
    expect(here.count()).toBe(1)
  })

  it('reloads once more for another version', () => {
    const here = page()
    tryReload(here)
    expect(tryReload({ ...here, build: 'main-2.js' })).toBe(true)
    expect(here.count()).toBe(2)
  })

  it('does not reload without a network', () => {
    const here = page()
    expect(tryReload({ ...here, online: false })).toBe(false)
    expect(here.count()).toBe(0)
  })

  it('does not reload without storage, because nothing would stop a second reload', () => {
    const here = page()
    expect(tryReload({ ...here, memory: undefined })).toBe(false)
    expect(here.count()).toBe(0)
  })
})
