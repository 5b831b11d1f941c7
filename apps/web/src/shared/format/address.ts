/** `0x8A3f…e21C`: short enough for one line, with both ends to tell addresses apart. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** A short address for use inside a sentence. Word joiners prevent a line break at the dots. */
export const unbrokenAddress = (address: string): string => shortAddress(address).replace('…', '\u2060…\u2060')
