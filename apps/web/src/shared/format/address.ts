/** `0x8A3f…e21C`: enough at both ends to be told apart, on one line. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** The same inside a sentence: the dots would let a line end within the address, and joiners keep it whole. */
export const unbrokenAddress = (address: string): string => shortAddress(address).replace('…', '\u2060…\u2060')
