/** Crockford's base 32: no I, L, O or U, so that people do not confuse characters when they read or copy a code. */
export const CROCKFORD_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Corrects what people type: any case, I and L for 1, O for 0, spaces and dashes between groups. */
export const normalizeCrockford = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')

/** One character for each byte, from its low five bits: uniform if the bytes are. */
export const crockfordFromBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => CROCKFORD_ALPHABET.charAt(byte & 31)).join('')
