import { posix } from 'node:path'
import { findImports, type ImportStatement } from './import-statements.ts'
import { readRepositoryFiles } from './repository-files.ts'

/**
 * The import rules. A file belongs to the zone with the longest matching folder. A zone may import itself and the zones
 * in its row. Tests of an app or package may use any zone of it, and the test tools.
 *
 *     kernel ← wire ← platform ← modules ← processes
 *     kernel ← wire ← shared ← chain ← features ← app
 */
const zones = [
  { name: 'kernel', folder: 'packages/kernel/', imports: [], outside: [] },
  { name: 'wire', folder: 'packages/wire/', imports: ['kernel'], outside: ['zod/mini'] },
  { name: 'wire-tools', folder: 'packages/wire/tools/', imports: ['kernel', 'wire'] },
  { name: 'contracts', folder: 'packages/contracts/', imports: ['kernel'] },

  { name: 'platform', folder: 'apps/server/src/platform/', imports: ['kernel', 'wire', 'contracts'] },
  { name: 'modules', folder: 'apps/server/src/modules/', imports: ['kernel', 'wire', 'contracts', 'platform'] },
  { name: 'processes', folder: 'apps/server/', imports: ['kernel', 'wire', 'contracts', 'platform', 'modules'] },

  { name: 'shared', folder: 'apps/web/src/shared/', imports: ['kernel', 'wire'] },
  { name: 'chain', folder: 'apps/web/src/chain/', imports: ['kernel', 'wire', 'contracts', 'shared'] },
  { name: 'features', folder: 'apps/web/src/features/', imports: ['kernel', 'wire', 'contracts', 'shared', 'chain'] },
  { name: 'dev-wallet', folder: 'apps/web/src/dev-wallet/', imports: ['kernel', 'wire', 'contracts', 'shared'] },
  {
    name: 'app',
    folder: 'apps/web/',
    imports: ['kernel', 'wire', 'contracts', 'shared', 'chain', 'features', 'dev-wallet'],
  },

  { name: 'scripts', folder: 'scripts/', imports: ['kernel', 'wire', 'contracts', 'processes'] },
  { name: 'test', folder: 'test/', imports: ['kernel', 'wire', 'contracts', 'scripts', 'processes'] },
] as const satisfies readonly Zone[]

const modulesFolder = 'apps/server/src/modules/'

/**
 * The server's modules, lowest first. A module imports only modules that are listed before it. So there are no import
 * cycles between modules, and a reader of a module needs only the modules above it in this list.
 */
const moduleOrder = [
  'ledger',
  'operators',
  'team',
  'plan',
  'vault',
  'custody',
  'identity',
  'protection',
  'payout',
  'transfer',
  'orders',
  'promotion',
  'partner',
  'pledge',
  'correction',
  'treasury',
  'wallet',
  'home',
  'pool',
  'content',
  'support',
]

/**
 * Folders whose parts are imported only through the part's `index.ts`. If a part has no index.ts, all its files may be
 * imported.
 */
const foldersWithDoors = [modulesFolder, 'apps/web/src/features/', 'apps/web/src/shared/', 'apps/web/src/chain/']

/** The first paint: these files, and everything that they import statically, must not import wallet code. */
const firstPaint = ['apps/web/src/main.tsx', 'apps/web/src/features/sign-in/index.ts']

/** The wallet code: our own, and its libraries. */
const walletFolder = 'apps/web/src/chain/'
const walletPackage = /^(viem|ox|abitype|@noble\/\w+|@wagmi\/core|@walletconnect\/[\w-]+)(\/|$)/

/** Package names that must not be imported, because another entry of the same library is better. */
const largerEntries: readonly { specifier: string; inFolders: readonly string[]; because: string }[] = [
  {
    specifier: 'zod',
    inFolders: ['packages/wire/', 'apps/web/'],
    because: "the web app downloads it: 'zod/mini' does the same for 6 kB instead of 22",
  },
]

const because = {
  direction: (from: string, to: string) => `${from} must not import ${to}: imports run one way`,
  order: (from: string, to: string) =>
    `module ${from} must not import ${to}: ${from} comes before ${to} in moduleOrder`,
  unordered: (name: string) => `module ${name} is missing from moduleOrder in scripts/check-imports.ts`,
  outside: (zone: string) => `${zone} stays free of what is outside it`,
  door: (door: string) => `the one way in is ${door}`,
  exports: (name: string) => `${name} does not export it`,
  boundary: (name: string) => `another package is reached by its name, ${name}, never by a path`,
  devWallet: 'the development wallet is loaded on demand only, so that a production build can leave it out',
  firstPaint: (chain: string) => `${chain} is loaded before anything is pressed; load the wallet's code on demand`,
  missing: 'there is no such file',
}

type Zone = {
  readonly name: string
  readonly folder: string
  readonly imports: readonly string[]
  /** The npm packages that the zone may use. All, if not set. */
  readonly outside?: readonly string[]
}
type Violation = { readonly file: string; readonly line: number; readonly specifier: string; readonly because: string }
type Package = { readonly name: string; readonly folder: string; readonly exports: Readonly<Record<string, string>> }
type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'broken'; readonly because: string }
type Resolve = (file: string, statement: ImportStatement) => Target
type Imports = ReadonlyMap<string, readonly ImportStatement[]>

const isTest = (path: string): boolean => /\.test\.tsx?$|\/testing\//.test(path)
const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !path.includes('/generated/')

/** `files` contains the sources and the package.json of each package, by path from the root. */
export function findViolations(files: ReadonlyMap<string, string>): Violation[] {
  const packages = readPackages(files)
  const sources = Array.from(files).filter(([path]) => isSource(path))
  const imports: Imports = new Map(sources.map(([path, source]) => [path, findImports(source, path)]))
  const resolve: Resolve = (file, { specifier }) => resolveTarget(file, specifier, files, packages)

  const found: Violation[] = []
  for (const [file, statements] of imports) {
    for (const statement of statements) {
      const to = resolve(file, statement)
      const reason =
        checkDirection(file, statement, to) ??
        (to.kind === 'file' ? (checkDoor(file, to.path, files) ?? checkModuleOrder(file, to.path)) : undefined)
      if (reason) found.push({ file, line: statement.line, specifier: statement.specifier, because: reason })
    }
  }
  return [...found, ...findWalletInFirstPaint(imports, resolve)]
}

function checkDirection(file: string, { specifier, kind }: ImportStatement, to: Target): string | undefined {
  if (to.kind === 'broken') return to.because
  const from = zoneOf(file)
  if (to.kind === 'outside') {
    const match = largerEntries.find(
      (row) => row.specifier === specifier && row.inFolders.some((folder) => file.startsWith(folder)),
    )
    if (match) return match.because
    return from?.outside && !isTest(file) && !from.outside.includes(specifier) ? because.outside(from.name) : undefined
  }
  const zone = zoneOf(to.path)
  if (!from || !zone || zone === from) return undefined
  if (zone.name === 'dev-wallet' && kind === 'static') return because.devWallet
  if (from.imports.includes(zone.name) || (isTest(file) && isOpenToTests(file, zone))) return undefined
  return because.direction(from.name, zone.name)
}

function zoneOf(path: string): Zone | undefined {
  const holding = zones.filter(({ folder }) => path.startsWith(folder))
  return holding.toSorted((a, b) => b.folder.length - a.folder.length)[0]
}

/** A test may compose its own app as the processes do, and use the tools that start real services. */
const isOpenToTests = (file: string, zone: Zone): boolean =>
  zone.name === 'scripts' || zone.name === 'test' || appOf(zone.folder) === appOf(file)

const appOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Tests may use any module. */
function checkModuleOrder(file: string, to: string): string | undefined {
  const from = moduleOf(file)
  const target = moduleOf(to)
  if (from === undefined || target === undefined || from === target || isTest(file)) return undefined
  const unordered = [from, target].find((name) => !moduleOrder.includes(name))
  if (unordered) return because.unordered(unordered)
  return moduleOrder.indexOf(target) < moduleOrder.indexOf(from) ? undefined : because.order(from, target)
}

const moduleOf = (path: string): string | undefined =>
  path.startsWith(modulesFolder) ? path.slice(modulesFolder.length).split('/')[0] : undefined

function checkDoor(file: string, to: string, files: ReadonlyMap<string, string>): string | undefined {
  for (const folder of foldersWithDoors) {
    if (!to.startsWith(folder)) continue
    const [part, inside] = to.slice(folder.length).split('/')
    // A file directly in the walled folder is a part of its own.
    if (!part || !inside || file.startsWith(`${folder}${part}/`)) continue
    const door = ['index.ts', 'index.tsx'].map((name) => `${folder}${part}/${name}`).find((path) => files.has(path))
    if (door && to !== door) return because.door(door)
  }
  return undefined
}

/** Follows static imports. Each violation names the file with the import that reaches the wallet code. */
function findWalletInFirstPaint(imports: Imports, resolve: Resolve): Violation[] {
  const found: Violation[] = []
  const seen = new Set(firstPaint)
  const queue = [...firstPaint]
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const statement of imports.get(file) ?? []) {
      if (statement.kind !== 'static') continue
      const to = resolve(file, statement)
      const wallet = to.kind === 'file' ? to.path.startsWith(walletFolder) : walletPackage.test(statement.specifier)
      if (wallet) {
        found.push({ file, line: statement.line, specifier: statement.specifier, because: because.firstPaint(file) })
      } else if (to.kind === 'file' && !seen.has(to.path)) {
        seen.add(to.path)
        queue.push(to.path)
      }
    }
  }
  return found
}

function resolveTarget(
  file: string,
  specifier: string,
  files: ReadonlyMap<string, string>,
  packages: readonly Package[],
): Target {
  // A suffix such as `?raw` tells the bundler how to load a file, not which file.
  const path = specifier.replace(/\?.*$/, '')
  if (path.startsWith('.')) {
    const to = posix.join(posix.dirname(file), path)
    const other = packages.find(({ folder }) => to.startsWith(folder) && !file.startsWith(folder))
    if (other) return { kind: 'broken', because: because.boundary(other.name) }
    // Files that are not sources (a style, a picture) are resolved by the bundler.
    if (/\.[cm]?[jt]sx?$/.test(to) && !files.has(to)) return { kind: 'broken', because: because.missing }
    return { kind: 'file', path: to }
  }
  const found = packages.find(({ name }) => path === name || path.startsWith(`${name}/`))
  if (!found) return { kind: 'outside' }
  const exported = findExportedFile(found, `.${path.slice(found.name.length)}`)
  return exported === undefined
    ? { kind: 'broken', because: because.exports(found.name) }
    : { kind: 'file', path: posix.join(found.folder, exported) }
}

function findExportedFile({ exports }: Package, entry: string): string | undefined {
  if (exports[entry] !== undefined) return exports[entry]
  for (const [pattern, file] of Object.entries(exports)) {
    const [before, after] = pattern.split('*')
    if (before === undefined || after === undefined) continue
    if (!entry.startsWith(before) || !entry.endsWith(after)) continue
    return file.replace('*', entry.slice(before.length, entry.length - after.length))
  }
  return undefined
}

function readPackages(files: ReadonlyMap<string, string>): Package[] {
  const manifests = Array.from(files).filter(([path]) => path.endsWith('/package.json'))
  return manifests.map(([path, text]) => {
    const { name, exports = {} } = JSON.parse(text) as { name: string; exports?: Record<string, string> }
    return { name, folder: `${posix.dirname(path)}/`, exports }
  })
}

if (import.meta.main) {
  const files = readRepositoryFiles(/\.tsx?$|^(apps|packages)\/[^/]+\/package\.json$|^(scripts|test)\/package\.json$/)
  const found = findViolations(files)
  for (const { file, line, specifier, because } of found) console.error(`${file}:${line}  '${specifier}': ${because}`)
  if (found.length > 0) process.exit(1)
  console.log(`imports: ${files.size} files, every import is allowed`)
}
