import type { Edit } from '../sim/broken-builds/broken-build.ts'

/** One small error in the source, which the tests nearest to it must notice. `file` is a path from the root. */
export type Mutant = Edit & {
  /** The test files to run, by their path from the root. */
  readonly tests: readonly string[]
  /** Runs only the tests whose full name matches this pattern. For test files that take long. */
  readonly only?: string
  /** Why no test can notice this error, because the product behaves in the same way with it. */
  readonly reason?: string
}

/** Mutants of one file that the same tests must notice: pairs of the text to replace and its replacement. */
export const mutantsOf = (
  file: string,
  tests: readonly string[],
  edits: readonly (readonly [
    find: string,
    replace: string,
    options?: Partial<Pick<Mutant, 'only' | 'reason' | 'tests'>>,
  ])[],
): Mutant[] => edits.map(([find, replace, options]) => ({ file, find, replace, tests, ...options }))
