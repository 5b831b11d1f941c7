import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type * as z from 'zod/mini'
import * as enums from '../src/enums.ts'
import * as formats from '../src/formats.ts'
import { commonRefusals, memberRefusals, type RefusalCode, refusals } from '../src/refusals.ts'
import type { Route } from '../src/route.ts'
import { routes } from '../src/routes.ts'
import { refusalTexts } from '../src/texts/en.ts'
import {
  describeExpandedShape,
  describeFields,
  describeShape,
  enumKey,
  isOptional,
  type SchemaNames,
  wrapParts,
} from './shapes.ts'

// Writes docs/api.md from the table of routes. `--check` writes nothing and fails if the page is not exactly what the table gives.

const sourceFolder = resolve(import.meta.dirname, '../src')
const pagePath = resolve(import.meta.dirname, '../../../docs/api.md')

type Schemas = ReadonlyMap<string, z.core.$ZodType>
type RouteGroup = { readonly name: string; readonly routes: readonly Route[]; readonly shapes: Schemas }

/** One group for each file of routes/, in the order of the route table. */
async function readRouteGroups(): Promise<RouteGroup[]> {
  const all: Readonly<Record<string, Route>> = routes
  const places = Object.keys(all)
  const subjects = await Promise.all(
    readdirSync(join(sourceFolder, 'routes')).map(async (file) => {
      const exported: Readonly<Record<string, unknown>> = await import(join(sourceFolder, 'routes', file))
      const name = file.replace(/\.ts$/, '')
      const paths = places.filter((path) => Object.hasOwn(exported[`${name}Routes`] ?? {}, path))
      const shapes = new Map(sortedExports(exported).filter(isSchema))
      return { place: places.indexOf(paths[0] ?? ''), name, routes: paths.flatMap((path) => all[path] ?? []), shapes }
    }),
  )
  return subjects.toSorted((a, b) => a.place - b.place)
}

/** Sorted by name, because the order of a module's exports depends on the loader. */
const sortedExports = (exported: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(exported).toSorted(([a], [b]) => (a < b ? -1 : 1))

const isSchema = (entry: [string, unknown]): entry is [string, z.core.$ZodType] =>
  typeof entry[1] === 'object' && entry[1] !== null && '_zod' in entry[1]

export async function buildApiReference(): Promise<string> {
  const subjects = await readRouteGroups()
  const named: Schemas = new Map(
    sortedExports(formats)
      .filter(isSchema)
      .filter(([, schema]) => schema._zod.def.type !== 'object'),
  )
  const enumerations = sortedExports(enums).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
  const names: SchemaNames = {
    schemas: new Map(
      [named, ...subjects.map(({ shapes }) => shapes)].flatMap((map) => [...map].map(([n, s]) => [s, n])),
    ),
    enums: new Map(enumerations.map(([name, values]) => [enumKey(values), name])),
  }
  const parts = [
    introduction,
    ...subjects.map(
      (subject) => `## ${capitalize(subject.name)}\n\n${buildOverview(subject)}\n\n${buildDetails(subject, names)}`,
    ),
    `## Refusals\n\n${refusalsIntroduction}\n\n${buildTable(['status', 'reason', 'in English'], refusalRows)}`,
    `## Formats\n\n${buildTable(['name', 'is', 'form'], buildFormatRows(named))}`,
    `## Enumerations\n\n${buildTable(
      ['name', 'values'],
      [
        ...enumerations.map(([name, values]) => [`\`${name}\``, formatAsCode(values)]),
        ...numberedEnums.map(([name, values]) => [
          `\`${name}\``,
          formatAsCode(Object.entries(values).map(([word, n]) => `${n}: ${word}`)),
        ]),
      ],
    )}`,
  ]
  return `${parts.join('\n\n')}\n`
}

const introduction = `# The API

<!-- Written by \`pnpm api-docs\` from packages/wire. Not to be edited. -->

Plain HTTP and JSON below \`/api\`: the query of a GET, the JSON body of a POST. This page is written from the table by which the server mounts
its calls and the web app makes its own. A running pool has the same as OpenAPI at \`/api/openapi.json\`, and to try at \`/api/docs\`.

- **Every answer** is \`{ code, message, data, reason?, fields? }\`. \`code\` is the HTTP status, 200 alone is success; \`reason\` is one of
  the [refusals](#refusals); \`fields\` names the inputs that are wrong. What a call gives, below, is its \`data\`.
- **A member’s call** brings \`Authorization: Bearer <token>\` from [signing in](sign-in.md), and names the \`account\` that it acts for. A disabled
  account signs in to an exit token, which is good for taking assets out and nothing else.
- **The fund password** is required in addition to the token where money moves or its [protections](protections.md) change.
- **Sent twice, done once**: where a call takes a \`key\`, the same key with the same terms gets the first answer, for ever.
- **Kept answers**: a public read may be kept for half a minute by a cache in front of the server, and has an \`ETag\`. \`/account/home\` has one, too:
  send it as \`If-None-Match\`, and an answer that has not changed is 304 without a body.
- **Amounts** are strings in whole coins (\`"12.5"\`), never numbers. A list is read on with the \`next\` of the page before as \`cursor\`. A cursor is valid only
  for the same list, filters and member; any other is refused as \`format\`.
- **Names** stand for a [format](#formats), an [enumeration](#enumerations) or a shape that is written out once; \`?\` may be left out; a field
  whose name equals its type is written once. The comments in the source explain each field.`

/** Enumerations that are numbers on the wire and names in the code. */
const numberedEnums = Object.entries({
  orderTypes: enums.orderTypes,
  paymentMethods: enums.paymentMethods,
  orderStatuses: enums.orderStatuses,
})

const usualRefusals = ({ access }: Route): readonly RefusalCode[] =>
  access === 'open' ? commonRefusals : memberRefusals
const formatAsCode = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')
const capitalize = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const accessNames = { open: 'anybody', member: 'member', exit: 'member, exit token too' } as const satisfies Record<
  Route['access'],
  string
>

function buildOverview({ routes }: RouteGroup): string {
  return buildTable(
    ['call', 'who', 'does'],
    routes.map((route) => [`\`${route.method} ${route.path}\``, accessText(route), route.summary]),
  )
}

function accessText({ access, request }: Route): string {
  const password: z.core.$ZodType | undefined = request.shape.password
  if (!password) return accessNames[access]
  return `${accessNames[access]}; fund password${isOptional(password) ? ' where needed' : ''}`
}

function buildDetails({ name, routes, shapes }: RouteGroup, names: SchemaNames): string {
  const written = Array.from(shapes, ([shape, schema]) => `${shape} = ${describeExpandedShape(schema, names)}`)
  const file = `packages/wire/src/routes/${name}.ts`
  const calls = routes.map((route) => describeCall(route, names))
  return `[${file}](../${file})\n\n\`\`\`\n${[...written, ...calls].join('\n\n')}\n\`\`\``
}

function describeCall(route: Route, names: SchemaNames): string {
  const everywhere = route.access === 'open' ? ['_t'] : ['_t', 'account']
  const own = Object.entries<z.core.$ZodType>(route.request.shape).filter(([field]) => !everywhere.includes(field))
  const takes = describeFields(Object.fromEntries(own), names, 8)
  const refused = route.refusals.filter((code) => !usualRefusals(route).includes(code))
  return [
    `${route.method} ${route.path}`,
    ...(takes.length > 0 ? [`takes ${wrapParts(takes, 8)}`] : []),
    `gives ${describeShape(route.data, names, 2)}`,
    ...(refused.length > 0 ? [`or    ${wrapParts(refused, 8)}`] : []),
  ].join('\n  ')
}

const memberOnlyRefusals = memberRefusals.filter((code) => !commonRefusals.some((common) => common === code))
const refusalsIntroduction = `Any call can be refused with ${formatAsCode(commonRefusals)}, any of a member also with ${formatAsCode(memberOnlyRefusals)}.`
const refusalRows = Object.entries(refusalTexts)
  .map(([code, words]) => [String(refusals[code as RefusalCode]), `\`${code}\``, words])
  .toSorted(([a = ''], [b = '']) => a.localeCompare(b))

/** Each format with its doc comment from the source. */
function buildFormatRows(named: Schemas): string[][] {
  const text = readFileSync(join(sourceFolder, 'formats.ts'), 'utf8')
  return Array.from(named, ([name, schema]) => {
    const words = new RegExp(`/\\*\\* ([^*]+) \\*/\\nexport const ${name} =`).exec(text)?.[1] ?? ''
    return [
      `\`${name}\``,
      words,
      `\`${findPattern(schema) ?? describeShape(schema, { schemas: new Map(), enums: new Map() })}\``,
    ]
  })
}

function findPattern(schema: z.core.$ZodType): string | undefined {
  const patterns = (schema._zod.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    'pattern' in def && def.pattern instanceof RegExp ? [def.pattern.source] : [],
  )
  return patterns[0]
}

function buildTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

if (import.meta.main) {
  const wanted = await buildApiReference()
  if (!process.argv.includes('--check')) writeFileSync(pagePath, wanted)
  else if (readFileSync(pagePath, 'utf8') !== wanted) {
    console.error('docs/api.md is out of date: run pnpm api-docs')
    process.exit(1)
  } else console.log(`api: docs/api.md lists all ${Object.keys(routes).length} calls`)
}
