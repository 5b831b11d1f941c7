/**
 * Checks that the commands on documentation pages exist, and that `.ci/run`, `pnpm deep` or one of their tests runs
 * them.
 */

type Files = ReadonlyMap<string, string>
type Script = { readonly package: string; readonly name: string; readonly argument: string }

const ROOT_PACKAGE = 'lode'

/** Commands that run under another name or by another program than pnpm: the file, and the words that run them. */
const RUN_AS: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'lode check': ['.ci/run', '"check:$check"'],
  'lode test': ['.ci/run', '--project unit --project integration'],
  'lode e2e': ['.ci/run', "--project='e2e*'"],
  'lode dev': ['test/dev-stack/running-stack.ts', 'scripts/dev.ts'],
  'lode lode': ['scripts/stack/server.ts', "findBundledProcess('lode', serverFolder)"],
  'lode cluster': ['test/cluster/cluster.test.ts', 'scripts/cluster.ts'],
  'lode deep': ['scripts/deep.ts', "command: ['.ci/run']"],
  'lode api-docs': ['packages/wire/tools/api-reference.test.ts', 'buildApiReference()'],
  '@lode/contracts build': ['packages/contracts/package.json', '"check": "node tools/generate.ts --check'],
  '@lode/contracts check': ['package.json', 'pnpm --filter @lode/contracts check'],
  '@lode/contracts test': ['packages/contracts/package.json', '"test:ci": "node tools/test-report.ts"'],
  '@lode/contracts deploy': ['packages/contracts/deploy/deploy.integration.test.ts', 'deploy('],
  '@lode/contracts verify': ['packages/contracts/deploy/deploy.integration.test.ts', 'verify('],
}

/** Every `pnpm …` in the code of a page. */
export function findCommands(page: string): Script[] {
  const code = [
    ...Array.from(page.matchAll(/^ *```(?:sh)?\n([\s\S]*?)^ *```/gm), ([, block = '']) => block),
    ...Array.from(page.matchAll(/^ {4}(.+)$/gm), ([, line = '']) => line),
    ...Array.from(page.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span),
  ].join('\n')
  const found = code.matchAll(/\bpnpm (?:--filter (\S+) )?(?:run )?([a-z][a-z0-9:-]*)(?: ([a-z][a-z-]*))?/g)
  return Array.from(found, ([, packageName = ROOT_PACKAGE, name = '', argument = '']) => ({
    package: packageName,
    name,
    argument,
  }))
}

export function findCommandFaults(path: string, files: Files): string[] {
  return findCommands(files.get(path) ?? '').flatMap((script) => {
    const command = `${script.package === ROOT_PACKAGE ? 'pnpm' : `pnpm --filter ${script.package}`} ${script.name}`
    if (!readScripts(script.package, files).includes(script.name)) return [`${path}: there is no ${command}`]
    return isRun(script, files) ? [] : [`${path}: nothing runs ${command} ${script.argument}`.trimEnd()]
  })
}

/** CI must list every check of `pnpm check`, so that each is counted separately. */
export function findMissingChecks(files: Files): string[] {
  const [, listed = ''] = /for check in ([a-z ]+); do/.exec(files.get('.ci/run') ?? '') ?? []
  const checks = readScripts(ROOT_PACKAGE, files).flatMap((name) => /^check:(.+)$/.exec(name)?.[1] ?? [])
  return checks
    .filter((check) => !listed.split(' ').includes(check))
    .map((check) => `.ci/run leaves out check:${check}`)
}

function readScripts(name: string, files: Files): string[] {
  for (const [path, text] of files) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue
    const manifest = JSON.parse(text) as { name: string; scripts?: Record<string, string> }
    if (manifest.name === name) return Object.keys(manifest.scripts ?? {})
  }
  return []
}

function isRun({ package: packageName, name, argument }: Script, files: Files): boolean {
  const [file, words] = RUN_AS[`${packageName} ${name}`] ?? []
  if (file !== undefined && words !== undefined) return files.get(file)?.includes(words) ?? false
  if (packageName === ROOT_PACKAGE && name.startsWith('check:')) return findMissingChecks(files).length === 0
  const parts = [
    ...(packageName === ROOT_PACKAGE ? [] : ['--filter', packageName]),
    name,
    ...(name === 'bench' ? [argument] : []),
  ]
  const run = (files.get('.ci/run') ?? '').replaceAll(/--silent |run /g, '')
  const deep = (files.get('scripts/deep.ts') ?? '').replaceAll("'run', ", '')
  // A bench without a name stands for any bench.
  const spelled = parts.filter((part) => part !== '')
  return (
    run.includes(`pnpm ${spelled.join(' ')}`) ||
    deep.includes(`'pnpm', ${spelled.map((part) => `'${part}'`).join(', ')}`)
  )
}
