/** A wallet as EIP-1193 describes it. Everything that it says or throws is foreign until it has been looked at. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (payload: unknown) => void): unknown
  removeListener?(event: string, listener: (payload: unknown) => void): unknown
}

/** One property of a foreign object. Wallets inject proxies, and pages are full of getters that throw. */
export function read(object: unknown, key: string): unknown {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return undefined
  try {
    return (object as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

export const asProvider = (value: unknown): Provider | undefined =>
  typeof read(value, 'request') === 'function' ? (value as Provider) : undefined
