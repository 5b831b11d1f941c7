/** `broken`: no test ran to its end, so the result says nothing about the tests. */
export type TestOutcome =
  | { readonly kind: 'passed' | 'failed' | 'timed-out' }
  | { readonly kind: 'broken'; readonly printed: string }
