/** The parts of Vitest's and Playwright's JSON reports that the scripts read. */

export type VitestFile = {
  readonly name: string
  readonly status: string
  readonly message?: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}
export type PlaywrightSuite = {
  readonly title: string
  /** From the folder of the Playwright configuration. */
  readonly file?: string
  readonly specs?: readonly { readonly title: string; readonly tests: readonly PlaywrightTest[] }[]
  readonly suites?: readonly PlaywrightSuite[]
}
type PlaywrightTest = {
  readonly status: string
  readonly results: readonly { readonly error?: { readonly stack?: string; readonly message?: string } }[]
}

/** `name` has the titles of the blocks around the test, too. */
export type PassedTest = { readonly path: string; readonly name: string }

export function findPassedTests(report: unknown): PassedTest[] {
  if (typeof report !== 'object' || report === null) return []
  if ('testResults' in report && Array.isArray(report.testResults)) {
    return (report.testResults as VitestFile[]).flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === 'passed')
        .map(({ fullName }) => ({ path: file.name, name: fullName })),
    )
  }
  if ('suites' in report && Array.isArray(report.suites)) {
    return (report.suites as PlaywrightSuite[]).flatMap((suite) => findPassedSpecs(suite))
  }
  return []
}

function findPassedSpecs(suite: PlaywrightSuite, above: readonly string[] = []): PassedTest[] {
  const titles = [...above, suite.title]
  const own = (suite.specs ?? [])
    .filter(({ tests }) => tests.length > 0 && tests.every(({ status }) => status === 'expected'))
    .map(({ title }) => ({ path: `/test/${suite.file}`, name: [...titles, title].join(' ') }))
  return [...own, ...(suite.suites ?? []).flatMap((below) => findPassedSpecs(below, titles))]
}
