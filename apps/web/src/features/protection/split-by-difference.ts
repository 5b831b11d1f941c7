type TextPart = { readonly at: number; readonly text: string; readonly differs: boolean }

/** Splits a text into parts that are equal to the other text and parts that differ. Small and capital letters are equal. */
export function splitByDifference(text: string, other: string): TextPart[] {
  const parts: { at: number; text: string; differs: boolean }[] = []
  for (const [at, digit] of Array.from(text).entries()) {
    const differs = digit.toLowerCase() !== other.charAt(at).toLowerCase()
    const last = parts.at(-1)
    if (last?.differs === differs) last.text += digit
    else parts.push({ at, text: digit, differs })
  }
  return parts
}
