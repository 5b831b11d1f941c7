declare const idBrand: unique symbol

/** A UUID of one kind: a session's id does not compile where an order's id is needed. */
export type Id<Kind extends string> = string & { readonly [idBrand]: Kind }

/**
 * UUID version 7: it begins with the time, so that new rows go to the end of an index. Time and randomness are
 * arguments. PostgreSQL can make such ids only from version 18 on, and Lode also supports 15.
 */
export function makeId<Kind extends string>(time: Date, random: Uint8Array): Id<Kind> {
  if (random.length !== 10) throw new RangeError('An id is made from ten random bytes')
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time.getTime()) << 16n)
  bytes.set(random, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id<Kind>
}
