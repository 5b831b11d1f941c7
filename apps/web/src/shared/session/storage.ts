/** The part of the browser's storage that we use. */
export type KeyValueStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export type ListedStorage = KeyValueStorage & { keys(): string[] }

/**
 * The browser's storage, or memory where there is none to be had: some in-app browsers throw on the mere mention of local
 * storage, and a member there should still be able to sign in for as long as the page is open.
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
  }
}
