const DIGITS_AT_EACH_END = 4

const addressEnds = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  return digits.slice(0, DIGITS_AT_EACH_END) + digits.slice(-DIGITS_AT_EACH_END)
}

/**
 * Returns the known address that this one could be mistaken for: it has the same start and end, which is all that most
 * people compare, and differs in between. Attackers create such addresses by the million. Returns null for an address
 * that is itself known.
 */
export function findLookAlike(address: string, knownAddresses: readonly string[]): string | null {
  const lower = address.toLowerCase()
  if (knownAddresses.some((one) => one.toLowerCase() === lower)) return null
  return knownAddresses.find((one) => addressEnds(one) === addressEnds(address)) ?? null
}
