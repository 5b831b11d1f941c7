/**
 * Checks that the commands on documentation pages exist, and that `.ci/run`, `pnpm deep` or one of their tests runs
 * them.
 */

type Files = ReadonlyMap<string, string>
type Script = { readonly package: string; readonly name: string; readonly argument: string }

const OF_THE_ROOT = 'lode'

/** Commands that run under another name or by another program than pnpm: the file, and the words that run them. */
const RUN_AS: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'lode check': ['.ci/run', '"check:$check"'],
  'lode test': ['.ci/run', '--project unit --project integration'],
  'lode e2e': ['.ci/run', '--project=e2e'],
  'lode dev': ['test/dev-stack/running-stack.ts', 'scripts/dev.ts'],
  'lode lode': ['scripts/stack/server.ts', "processFile('lode', serverFolder)"],
  'lode deep': ['scripts/deep.ts', "command: ['.ci/run']"],
  'lode api-docs': ['packages/wire/tools/api-reference.test.ts', 'apiReference()'],
  '@lode/contracts build': ['packages/contracts/package.json', '"check": "node tools/generate.ts --check'],
  '@lode/contracts check': ['package.json', 'pnpm --filter @lode/contracts check'],
  '@lode/contracts test': ['packages/contracts/package.json', '"test:ci": "node tools/test-report.ts"'],
  '@lode/contracts deploy': ['packages/contracts/deploy/deploy.integration.test.ts', 'deploy('],
}

/** Every `pnpm …` in the code of a page. */
export function commandsOf(page: string): Script[] {
  const code = [
    ...Array.from(page.matchAll(/^ *```(?:sh)?\n([\s\S]*?)^ *```/gm), ([, block = '']) => block),
    ...Array.from(page.matchAll(/^ {4}(.+)$/gm), ([, line = '']) => line),
    ...Array.from(page.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span),
  ].join('\n')
  const found = code.matchAll(/\bpnpm (?:--filter (\S+) )?(?:run )?([a-z][a-z0-9:-]*)(?: ([a-z][a-z-]*))?/g)
  return Array.from(found, ([, of = OF_THE_ROOT, name = '', argument = '']) => ({ package: of, name, argument }))
}

export function commandFaults(path: string, files: Files): string[] {
  return commandsOf(files.get(path) ?? '').flatMap((script) => {
    const told = `${script.package === OF_THE_ROOT ? 'pnpm' : `pnpm --filter ${script.package}`} ${script.name}`
    if (!scriptsOf(script.package, files).includes(script.name)) return [`${path}: there is no ${told}`]
    return isRun(script, files) ? [] : [`${path}: nobody runs ${told} ${script.argument}`.trimEnd()]
  })
}

/** CI must list every check of `pnpm check`, so that each is counted separately. */
export function forgottenChecks(files: Files): string[] {
  const [, listed = ''] = /for check in ([a-z ]+); do/.exec(files.get('.ci/run') ?? '') ?? []
  const there = scriptsOf(OF_THE_ROOT, files).flatMap((name) => /^check:(.+)$/.exec(name)?.[1] ?? [])
  return there.filter((check) => !listed.split(' ').includes(check)).map((check) => `.ci/run leaves out check:${check}`)
}

function scriptsOf(name: string, files: Files): string[] {
  for (const [path, text] of files) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue
    const manifest = JSON.parse(text) as { name: string; scripts?: Record<string, string> }
    if (manifest.name === name) return Object.keys(manifest.scripts ?? {})
  }
  return []
}

function isRun({ package: of, name, argument }: Script, files: Files): boolean {
  const [file, words] = RUN_AS[`${of} ${name}`] ?? []
  if (file !== undefined && words !== undefined) return files.get(file)?.includes(words) ?? false
  if (of === OF_THE_ROOT && name.startsWith('check:')) return forgottenChecks(files).length === 0
  const parts = [...(of === OF_THE_ROOT ? [] : ['--filter', of]), name, ...(name === 'bench' ? [argument] : [])]
  const run = (files.get('.ci/run') ?? '').replaceAll(/--silent |run /g, '')
  const deep = (files.get('scripts/deep.ts') ?? '').replaceAll("'run', ", '')
  // A bench without a name stands for any bench.
  const spelled = parts.filter((part) => part !== '')
  return (
    run.includes(`pnpm ${spelled.join(' ')}`) ||
    deep.includes(`'pnpm', ${spelled.map((part) => `'${part}'`).join(', ')}`)
  )
}
