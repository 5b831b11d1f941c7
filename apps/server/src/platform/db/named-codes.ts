/** Returns the code with this name. Throws if there is none. */
export type CodeLookup = (name: string) => number

const NAME = /(?<![:\w]):((?:type|log|kind|asset|order|account)\.\w+(?:[:.]\w+)*)/g

/** Replaces names such as `:type.deposit` with their codes, so that the database does no lookup. */
export const replaceCodeNames = (text: string, codeNamed: CodeLookup): string =>
  text.replaceAll(NAME, (_, name: string) => String(codeNamed(name)))
