/** The part of the browser's storage that the app uses. */
export type KeyValueStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export type ListedStorage = KeyValueStorage & {
  keys(): string[]
  /** True if stored values survive a reload. */
  readonly lasts: boolean
}

/**
 * The browser's storage, or memory if there is none. Some in-app browsers throw on any access to local storage; members
 * there can still sign in until they close the page.
 */
export function openStorage(find: () => KeyValueStorage | undefined): ListedStorage {
  try {
    const storage = find()
    if (storage) {
      storage.setItem('storage-check', '1')
      storage.removeItem('storage-check')
      return {
        getItem: (key) => storage.getItem(key),
        setItem: (key, value) => storage.setItem(key, value),
        removeItem: (key) => storage.removeItem(key),
        keys: () => Object.keys(storage),
        lasts: true,
      }
    }
  } catch {
    // Falls through to memory.
  }
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => Array.from(values.keys()),
    lasts: false,
  }
}
