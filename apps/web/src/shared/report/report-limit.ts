const MAX_REPORTS = 5

/** Lets each different report pass once, and only a few on one page: an error in a loop must not flood the server. */
export function createReportLimit(): (text: string) => boolean {
  const seen = new Set<string>()
  return (text) => {
    if (seen.has(text) || seen.size >= MAX_REPORTS) return false
    seen.add(text)
    return true
  }
}
