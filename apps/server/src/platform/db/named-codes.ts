/** Returns the number of a code's name, or throws. */
export type CodeNamed = (name: string) => number

const NAME = /(?<![:\w]):((?:type|log|kind|asset|order|account)\.\w+(?:[:.]\w+)*)/g

/** Replaces names such as `:type.deposit` by their numbers, so that the database does no lookup. */
export const withCodes = (text: string, codeNamed: CodeNamed): string =>
  text.replaceAll(NAME, (_, name: string) => String(codeNamed(name)))
