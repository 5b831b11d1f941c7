/** A wallet by EIP-1193. Its answers and errors are untrusted until they have been checked. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (payload: unknown) => void): unknown
  removeListener?(event: string, listener: (payload: unknown) => void): unknown
}

/** Reads one property of an untrusted object. Wallets inject proxies, and getters can throw. */
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
