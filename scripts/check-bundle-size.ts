import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './repository-files.ts'

/**
 * The limits for what a phone downloads. Sizes are those of the gzip files that the build writes. The server sends them
 * to browsers without brotli, which is smaller. A kB is 1,000 bytes.
 */
const budgets = {
  /** All scripts and styles until /login is usable, including one language. */
  firstPaint: 164_000,
  /** The additional download when a wallet is needed. */
  wallet: 12_000,
  /** The additional download when WalletConnect is chosen, after that of a wallet. */
  walletConnect: 135_000,
  /** The additional download of every page after the login: Home and its navigation, and parts that most pages have. */
  members: 17_000,
  /** What draws toasts. It is loaded some seconds after the first paint. */
  toaster: 20_000,
  /** The additional download of a route beyond all of that. Sheets are 19 kB of it for a page with a form. */
  route: 46_000,
  language: 19_000,
}

const page = 'index.html'
/** The parts of the build, named by the source that loads each. */
const login = /^src\/features\/sign-in\/index\.ts$/
const members = /^src\/app\/Navigation\.tsx$/
const toaster = /^src\/shared\/toaster\/index\.ts$/
const wallet = /^src\/chain\/index\.ts$/
const walletConnect = /^src\/chain\/walletconnect\/client\.ts$/
const language = /^src\/shared\/i18n\/texts\/(\w+)\.ts$/
const languageOfMembers = /^src\/shared\/i18n\/texts\/member\/(\w+)\.ts$/
const route = /^src\/(?:features\/[^/]+\/(?:index\.ts|\w+View\.tsx)|app\/)/

/** Must not be in the first paint: our own wallet code and its libraries. Styles are no code. */
const walletSource =
  /^src\/chain\/(?!.*\.css$)|node_modules\/(?:viem|ox|abitype|@noble\/\w+|@scure\/\w+|@walletconnect\/[\w-]+)\//
const developmentSource = /^src\/dev-wallet\//
/** Each of these strings is in a source of the development wallet and nowhere else. */
export const developmentMarkers = ['dev.lode.wallet', 'Lode development wallet', 'test test test test', '/dev-rpc']

/** Which source or file loads what, and which sources went into which file. The build writes both. */
export type Manifest = Readonly<
  Record<
    string,
    {
      readonly file: string
      readonly imports?: readonly string[]
      readonly css?: readonly string[]
      readonly isDynamicEntry?: boolean
    }
  >
>
export type SourcesByFile = Readonly<Record<string, readonly string[]>>

export type Build = {
  readonly manifest: Manifest
  readonly sources: SourcesByFile
  /** The scripts and styles that the page names. */
  readonly pageFiles: readonly string[]
  readonly sizeOf: (file: string) => number
}

export type SizeRow = { readonly name: string; readonly bytes: number; readonly budget: number }

export function measureBuild(build: Build): { rows: SizeRow[]; problems: string[] } {
  const { manifest } = build
  const dynamicParts = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry)
  const findParts = (pattern: RegExp) => dynamicParts.filter((key) => pattern.test(key))
  const problems: string[] = []
  for (const [what, pattern] of Object.entries({ login, members, toaster, wallet, language })) {
    if (findParts(pattern).length === 0) problems.push(`the build has no part for ${what}: ${pattern}`)
  }

  const page = union(collectFiles(manifest, build.pageFiles), build.pageFiles)
  const memberPage = union(page, collectFiles(manifest, findParts(members)))
  const untilLogin = union(page, collectFiles(manifest, findParts(login)))
  const rows: SizeRow[] = findParts(language).map((key) => ({
    name: `first paint, ${language.exec(key)?.[1]}`,
    bytes: sumSizes(union(untilLogin, collectFiles(manifest, [key])), build),
    budget: budgets.firstPaint,
  }))
  for (const key of findParts(wallet)) {
    rows.push({
      name: 'wallet',
      bytes: sumSizes(subtract(collectFiles(manifest, [key]), untilLogin), build),
      budget: budgets.wallet,
    })
  }
  const walletFiles = collectFiles(manifest, findParts(wallet))
  for (const key of findParts(walletConnect)) {
    rows.push({
      name: 'WalletConnect',
      bytes: sumSizes(subtract(collectFiles(manifest, [key]), union(untilLogin, walletFiles)), build),
      budget: budgets.walletConnect,
    })
  }
  rows.push({
    name: 'every page of a member',
    bytes: sumSizes(subtract(memberPage, untilLogin), build),
    budget: budgets.members,
  })
  const latePage = union(memberPage, collectFiles(manifest, findParts(toaster)))
  rows.push({ name: 'toasts', bytes: sumSizes(subtract(latePage, memberPage), build), budget: budgets.toaster })
  for (const key of findParts(route)) {
    if (members.test(key)) continue
    rows.push({
      name: key,
      bytes: sumSizes(subtract(collectFiles(manifest, [key]), latePage), build),
      budget: budgets.route,
    })
  }
  for (const key of [...findParts(language), ...findParts(languageOfMembers)]) {
    rows.push({
      name: key,
      bytes: sumSizes(subtract(collectFiles(manifest, [key]), page), build),
      budget: budgets.language,
    })
  }

  for (const { name, bytes, budget } of rows) {
    if (bytes > budget) problems.push(`${name} is ${kilobytes(bytes - budget)} kB over its budget`)
  }
  for (const file of union(untilLogin, collectFiles(manifest, findParts(language)))) {
    const found = build.sources[file]?.find((source) => walletSource.test(source))
    if (found) problems.push(`${file} is in the first paint and contains wallet code: ${found}`)
  }
  for (const [file, sources] of Object.entries(build.sources)) {
    const found = sources.find((source) => developmentSource.test(source))
    if (found) problems.push(`${file} contains the development wallet: ${found}`)
  }
  return { rows, problems }
}

/** Files of the build that contain a part of the development wallet. */
export const findDevelopmentWallet = (files: ReadonlyMap<string, string>): string[] =>
  Array.from(files).flatMap(([file, text]) =>
    developmentMarkers.filter((marker) => text.includes(marker)).map((marker) => `${file} contains '${marker}'`),
  )

/** The file of a part, its styles, and everything that is loaded together with it. */
function collectFiles(manifest: Manifest, keys: readonly string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const key of keys) visit(key)
  return files
}

const union = (left: Iterable<string>, right: Iterable<string>): Set<string> => new Set([...left, ...right])
const subtract = (files: ReadonlySet<string>, taken: ReadonlySet<string>): string[] =>
  Array.from(files).filter((file) => !taken.has(file))
const sumSizes = (files: Iterable<string>, { sizeOf }: Build): number =>
  Array.from(files).reduce((total, file) => total + sizeOf(file), 0)
const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1)

function readBuild(folder: string): Build {
  const json = (name: string) => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')) as unknown
  const html = readFileSync(join(folder, page), 'utf8')
  const named = Array.from(html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g), ([, file = '']) => file)
  return {
    manifest: json('parts.json') as Manifest,
    sources: json('sources.json') as SourcesByFile,
    pageFiles: named,
    sizeOf: (file) => statSync(join(folder, `${file}.gz`)).size,
  }
}

if (import.meta.main) {
  const folder = join(repositoryRoot, 'apps/web/dist')
  if (!existsSync(join(folder, page))) {
    console.error('There is no production build: run pnpm build first')
    process.exit(1)
  }
  const { rows, problems } = measureBuild(readBuild(folder))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const remains = findDevelopmentWallet(new Map(files.map((file) => [file, readFileSync(file, 'latin1')])))
  console.log(`${'gzip'.padStart(9)}  ${'at most'.padStart(8)}`)
  for (const { name, bytes, budget } of rows) {
    console.log(`${kilobytes(bytes).padStart(6)} kB  ${kilobytes(budget).padStart(5)} kB  ${name}`)
  }
  for (const problem of [...problems, ...remains]) console.error(problem)
  if (problems.length + remains.length > 0) process.exit(1)
}
