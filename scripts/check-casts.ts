import { parseSync, Visitor } from 'oxc-parser'
import { readRepositoryFiles } from './repository-files.ts'

/**
 * The compiler checks that each ledger transaction is one that the chart allows. A cast would disable this check for
 * money, so product code has none. Tests may cast, because they post transactions that must be refused.
 */
export function findCastsToTransaction(source: string, path = 'source.ts'): number[] {
  const lines: number[] = []
  const checkCast = (castStart: number, { start, end }: { start: number; end: number }): void => {
    const isCast = /\bTransaction\b/.test(source.slice(start, end))
    if (isCast) lines.push(source.slice(0, castStart).split('\n').length)
  }
  new Visitor({
    TSAsExpression: ({ start, typeAnnotation }) => checkCast(start, typeAnnotation),
    TSTypeAssertion: ({ start, typeAnnotation }) => checkCast(start, typeAnnotation),
  }).visit(parseSync(path, source).program)
  return lines
}

if (import.meta.main) {
  const files = Array.from(readRepositoryFiles(/^apps\/server\/src\/(?!.*(\.test\.ts$|\/testing\/)).*\.ts$/))
  const found = files.flatMap(([path, source]) => findCastsToTransaction(source, path).map((line) => `${path}:${line}`))
  for (const place of found) console.error(`${place}  a cast to Transaction: build a transaction that the chart allows`)
  if (found.length > 0) process.exit(1)
  console.log(`casts: ${files.length} files, no cast to a ledger transaction`)
}
