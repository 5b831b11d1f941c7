import { posix } from 'node:path'
import { findCommandFaults, findMissingChecks } from './documented-commands.ts'
import { readRepositoryFiles } from './repository-files.ts'

/**
 * Checks the documentation pages: every linked file and heading exists; if the text of a link is a name in code, the
 * file contains that name; every named source exists; every page is in an index; CI or a test runs every command on a
 * page.
 */

type Files = ReadonlyMap<string, string>
type Link = { readonly text: string; readonly target: string }

export const findLinks = (page: string): Link[] =>
  Array.from(removeCode(page).matchAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g), ([, text = '', target = '']) => ({
    text,
    target,
  })).filter(({ target }) => !/^[a-z]+:/.test(target))

/** The anchors of a page's headings: lower case, dashes for spaces, other characters removed. */
export const findHeadings = (page: string): Set<string> =>
  new Set(
    Array.from(removeCode(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

const CODE_BLOCK = /^ *```[\s\S]*?^ *```/gm

const removeCode = (page: string): string => page.replace(CODE_BLOCK, '')

export function findLinkFaults(path: string, files: Files): string[] {
  const page = files.get(path) ?? ''
  return findLinks(page).flatMap(({ text, target }) => {
    const [file = '', heading] = target.split('#')
    const to = file === '' ? path : posix.join(posix.dirname(path), file)
    const found = files.get(to)
    if (found === undefined) {
      const isFolder = Array.from(files.keys()).some((other) => other.startsWith(`${to.replace(/\/$/, '')}/`))
      return isFolder ? [] : [`${path}: there is no ${to}`]
    }
    if (heading !== undefined && !findHeadings(found).has(heading)) return [`${path}: ${to} has no heading #${heading}`]
    const [, name] = /^`([^`]+)`$/.exec(text) ?? []
    if (name === undefined || to.endsWith(`/${name}`) || to === name || containsName(found, name)) return []
    return [`${path}: ${to} has no ${name}`]
  })
}

/**
 * Checks each source named in code, by its path or the end of it, such as `modules/orders/quote.ts` or
 * `promotion.spec.ts`.
 */
export function findMissingSources(path: string, files: Files): string[] {
  const page = removeCode(files.get(path) ?? '')
  const named = page.matchAll(/`((?:[\w.*-]+\/)*[\w.*-]+\.(?:tsx?|mjs|sql|sol))`/g)
  return Array.from(named, ([, name = '']) => name)
    .filter((name) => !Array.from(files.keys()).some((file) => isNamed(`/${file}`, name)))
    .map((name) => `${path}: there is no ${name}`)
}

const isNamed = (file: string, name: string): boolean =>
  name.includes('*') ? posix.matchesGlob(file, `/**/${name}`) : file.endsWith(`/${name}`)

const containsName = (source: string, name: string): boolean =>
  new RegExp(`(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w-])`).test(source)

/** The README must link every page in docs/ exactly once, and the list of decisions every decision. */
export function findIndexFaults(files: Files): string[] {
  const indexes = { docs: 'README.md', 'docs/decisions': 'docs/decisions/README.md' }
  return Object.entries(indexes).flatMap(([folder, index]) => {
    const rows = (files.get(index) ?? '').split('\n').filter((line) => line.startsWith('| ['))
    const pages = Array.from(files.keys()).filter((path) => posix.dirname(path) === folder && path.endsWith('.md'))
    return pages
      .filter((path) => path !== index)
      .map((path) => ({ path, link: `](${posix.relative(posix.dirname(index), path)}) |` }))
      .map(({ path, link }) => ({ path, times: rows.filter((row) => row.includes(link)).length }))
      .filter(({ times }) => times !== 1)
      .map(({ path, times }) => `${index} lists ${path} ${times} times`)
  })
}

/** The pages that say what to do on a running pool. Whatever is needed there is a command, with its checks. */
const PAGES_WITHOUT_SQL = /^docs\/(operations|operators|money-in|money-out|plan)\.md$/
const SQL_BY_HAND =
  /\b(select .+ from \w+\.|insert into |update \w+\.\w+ set |delete from |alter (role|table|database) |truncate |drop (table|role) |create role )|`[^`]*\bpsql\b(?! -f)|\\password/i

/** SQL that a person is asked to type. Restoring a file (`psql -f`) is no such statement. */
export const findSqlByHand = (path: string, page: string): string[] =>
  PAGES_WITHOUT_SQL.test(path)
    ? page
        .split('\n')
        .flatMap((line, index) => (SQL_BY_HAND.test(line) ? [`${path}:${index + 1} has SQL: make it a command`] : []))
    : []

const LONGEST_LINE = 120
/** Help articles have one line for each paragraph, because the app wraps them. The API reference is generated. */
const ANY_LENGTH = /^apps\/server\/help\/|^docs\/api\.md$/

/** Lines that are too long to read beside code. Tables, pictures, drawings and code may be wider. */
export function findLongLines(path: string, page: string): string[] {
  if (ANY_LENGTH.test(path)) return []
  // Blocks of code become empty lines, so that the line numbers stay.
  const prose = page.replace(CODE_BLOCK, (block) => block.replace(/.+/g, ''))
  return prose.split('\n').flatMap((line, index) => {
    const isWide = Array.from(line).length > LONGEST_LINE && !/^\s*(\||<)|^ {4}/.test(line)
    return isWide ? [`${path}:${index + 1} is longer than ${LONGEST_LINE} characters`] : []
  })
}

if (import.meta.main) {
  const files = readRepositoryFiles(/./)
  const pages = Array.from(files.keys()).filter((path) => path.endsWith('.md'))
  const faults = [
    ...pages.flatMap((path) => [
      ...findLinkFaults(path, files),
      ...findMissingSources(path, files),
      ...findCommandFaults(path, files),
      ...findLongLines(path, files.get(path) ?? ''),
      ...findSqlByHand(path, files.get(path) ?? ''),
    ]),
    ...findIndexFaults(files),
    ...findMissingChecks(files),
  ]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  console.log(`docs: ${pages.length} pages, every link has its target, every command is run`)
}
