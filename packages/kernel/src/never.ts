/** Ends an exhaustive switch: does not type-check while a case is missing, and throws should a foreign value get through. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${String(value)}`)
}
