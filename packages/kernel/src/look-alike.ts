const SHOWN_AT_EACH_END = 4

const endsOf = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  return digits.slice(0, SHOWN_AT_EACH_END) + digits.slice(-SHOWN_AT_EACH_END)
}

/**
 * Returns the known address that this one could be mistaken for: it has the same start and end, which is all that most
 * people compare, and differs in between. Attackers create such addresses by the million. An address that is itself
 * known is not a look-alike.
 */
export function lookAlikeOf(address: string, known: readonly string[]): string | null {
  const lower = address.toLowerCase()
  if (known.some((one) => one.toLowerCase() === lower)) return null
  return known.find((one) => endsOf(one) === endsOf(address)) ?? null
}
