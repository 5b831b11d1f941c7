/** Gives the number that a name stands for, or throws. */
export type CodeNamed = (name: string) => number

const NAME = /(?<![:\w]):((?:type|log|kind|asset|order|account)\.\w+(?:[:.]\w+)*)/g

/** Puts numbers in the place of names such as `:type.deposit`, so that the database need not look them up. */
export const withCodes = (text: string, codeNamed: CodeNamed): string =>
  text.replaceAll(NAME, (_, name: string) => String(codeNamed(name)))
