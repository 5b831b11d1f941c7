/** Ends an exhaustive switch: it does not compile while a case is missing, and throws if an unknown value arrives. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${String(value)}`)
}
