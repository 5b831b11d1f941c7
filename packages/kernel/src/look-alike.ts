const SHOWN_AT_EACH_END = 4

const endsOf = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  return digits.slice(0, SHOWN_AT_EACH_END) + digits.slice(-SHOWN_AT_EACH_END)
}

/**
 * The known address that this one can be taken for: it begins and ends the same, which is all that most people compare, and
 * is not it. Whoever wants money sent to the wrong place makes such addresses by the million. An address that is known itself
 * is nobody's double.
 */
export function lookAlikeOf(address: string, known: readonly string[]): string | null {
  const lower = address.toLowerCase()
  if (known.some((one) => one.toLowerCase() === lower)) return null
  return known.find((one) => endsOf(one) === endsOf(address)) ?? null
}
