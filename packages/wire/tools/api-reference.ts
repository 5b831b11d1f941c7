import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type * as z from 'zod/mini'
import * as enums from '../src/enums.ts'
import * as formats from '../src/formats.ts'
import { commonRefusals, memberRefusals, type RefusalCode, refusals } from '../src/refusals.ts'
import type { Route } from '../src/route.ts'
import { routes } from '../src/routes.ts'
import { refusalTexts } from '../src/texts/en.ts'
import { expandedShapeOf, fieldsOf, filled, isOptional, keyOfEnum, type Names, shapeOf } from './shapes.ts'

// Writes docs/api.md from the table of routes. `--check` writes nothing and fails if the page is not exactly what the table gives.

const source = resolve(import.meta.dirname, '../src')
const page = resolve(import.meta.dirname, '../../../docs/api.md')

type Schemas = ReadonlyMap<string, z.core.$ZodType>
type Subject = { readonly name: string; readonly routes: readonly Route[]; readonly shapes: Schemas }

/** One subject a file, in the order of the table. */
async function readSubjects(): Promise<Subject[]> {
  const all: Readonly<Record<string, Route>> = routes
  const places = Object.keys(all)
  const subjects = await Promise.all(
    readdirSync(join(source, 'routes')).map(async (file) => {
      const exported: Readonly<Record<string, unknown>> = await import(join(source, 'routes', file))
      const name = file.replace(/\.ts$/, '')
      const paths = places.filter((path) => Object.hasOwn(exported[`${name}Routes`] ?? {}, path))
      const shapes = new Map(exportsOf(exported).filter(isSchema))
      return { place: places.indexOf(paths[0] ?? ''), name, routes: paths.flatMap((path) => all[path] ?? []), shapes }
    }),
  )
  return subjects.toSorted((a, b) => a.place - b.place)
}

/** By name: a module's own order is the loader's. */
const exportsOf = (exported: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(exported).toSorted(([a], [b]) => (a < b ? -1 : 1))

const isSchema = (entry: [string, unknown]): entry is [string, z.core.$ZodType] =>
  typeof entry[1] === 'object' && entry[1] !== null && '_zod' in entry[1]

export async function apiReference(): Promise<string> {
  const subjects = await readSubjects()
  const named: Schemas = new Map(
    exportsOf(formats)
      .filter(isSchema)
      .filter(([, schema]) => schema._zod.def.type !== 'object'),
  )
  const enumerations = exportsOf(enums).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
  const names: Names = {
    schemas: new Map(
      [named, ...subjects.map(({ shapes }) => shapes)].flatMap((map) => [...map].map(([n, s]) => [s, n])),
    ),
    enums: new Map(enumerations.map(([name, values]) => [keyOfEnum(values), name])),
  }
  const parts = [
    head,
    ...subjects.map((subject) => `## ${titleOf(subject.name)}\n\n${overview(subject)}\n\n${details(subject, names)}`),
    `## Refusals\n\n${refusalsAnywhere}\n\n${table(['status', 'reason', 'in English'], refusalRows)}`,
    `## Formats\n\n${table(['name', 'is', 'form'], formatRows(named))}`,
    `## Enumerations\n\n${table(
      ['name', 'values'],
      [
        ...enumerations.map(([name, values]) => [`\`${name}\``, inCode(values)]),
        ...numbered.map(([name, values]) => [
          `\`${name}\``,
          inCode(Object.entries(values).map(([word, n]) => `${n}: ${word}`)),
        ]),
      ],
    )}`,
  ]
  return `${parts.join('\n\n')}\n`
}

const head = `# The API

<!-- Written by \`pnpm api-docs\` from packages/wire. Not to be edited. -->

Plain HTTP and JSON below \`/api\`: the query of a GET, the JSON body of a POST. This page is written from the table by which the server mounts
its calls and the web app makes its own. A running pool has the same as OpenAPI at \`/api/openapi.json\`, and to try at \`/api/docs\`.

- **Every answer** is \`{ code, message, data, reason?, fields? }\`. \`code\` is the HTTP status, 200 alone is success; \`reason\` is one of
  the [refusals](#refusals); \`fields\` names the inputs that are wrong. What a call gives, below, is its \`data\`.
- **A member’s call** brings \`Authorization: Bearer <token>\` from [signing in](sign-in.md), and names the \`account\` that it acts for. A disabled
  account signs in to an exit token, which is good for taking assets out and nothing else.
- **The fund password** is asked for beside the token where money moves, or what [protects](protections.md) it.
- **Sent twice, done once**: where a call takes a \`key\`, the same key with the same terms gets the first answer, for ever.
- **Amounts** are strings in whole coins (\`"12.5"\`), never numbers. A list is read on with the \`next\` of the page before as \`cursor\`.
- **Names** stand for a [format](#formats), an [enumeration](#enumerations) or a shape that is written out once; \`?\` may be left out; a field that
  is called as what it is, is said once. What each field means is said beside it in the source.`

/** Where the wire has a number and the code a word for it. */
const numbered = Object.entries({
  orderTypes: enums.orderTypes,
  paymentMethods: enums.paymentMethods,
  orderStatuses: enums.orderStatuses,
})

const usual = ({ access }: Route): readonly RefusalCode[] => (access === 'open' ? commonRefusals : memberRefusals)
const inCode = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')
const titleOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const who = { open: 'anybody', member: 'member', exit: 'member, exit token too' } as const satisfies Record<
  Route['access'],
  string
>

function overview({ routes }: Subject): string {
  return table(
    ['call', 'who', 'does'],
    routes.map((route) => [`\`${route.method} ${route.path}\``, whoOf(route), route.summary]),
  )
}

function whoOf({ access, request }: Route): string {
  const password: z.core.$ZodType | undefined = request.shape.password
  if (!password) return who[access]
  return `${who[access]}; fund password${isOptional(password) ? ' where needed' : ''}`
}

function details({ name, routes, shapes }: Subject, names: Names): string {
  const written = Array.from(shapes, ([shape, schema]) => `${shape} = ${expandedShapeOf(schema, names)}`)
  const file = `packages/wire/src/routes/${name}.ts`
  const calls = routes.map((route) => callOf(route, names))
  return `[${file}](../${file})\n\n\`\`\`\n${[...written, ...calls].join('\n\n')}\n\`\`\``
}

function callOf(route: Route, names: Names): string {
  const everywhere = route.access === 'open' ? ['_t'] : ['_t', 'account']
  const own = Object.entries<z.core.$ZodType>(route.request.shape).filter(([field]) => !everywhere.includes(field))
  const takes = fieldsOf(Object.fromEntries(own), names, 8)
  const refused = route.refusals.filter((code) => !usual(route).includes(code))
  return [
    `${route.method} ${route.path}`,
    ...(takes.length > 0 ? [`takes ${filled(takes, 8)}`] : []),
    `gives ${shapeOf(route.data, names, 2)}`,
    ...(refused.length > 0 ? [`or    ${filled(refused, 8)}`] : []),
  ].join('\n  ')
}

const ofMembers = memberRefusals.filter((code) => !commonRefusals.some((common) => common === code))
const refusalsAnywhere = `Any call can be refused with ${inCode(commonRefusals)}, any of a member also with ${inCode(ofMembers)}.`
const refusalRows = Object.entries(refusalTexts)
  .map(([code, words]) => [String(refusals[code as RefusalCode]), `\`${code}\``, words])
  .toSorted(([a = ''], [b = '']) => a.localeCompare(b))

/** With the words that stand above them in the source. */
function formatRows(named: Schemas): string[][] {
  const text = readFileSync(join(source, 'formats.ts'), 'utf8')
  return Array.from(named, ([name, schema]) => {
    const words = new RegExp(`/\\*\\* ([^*]+) \\*/\\nexport const ${name} =`).exec(text)?.[1] ?? ''
    return [
      `\`${name}\``,
      words,
      `\`${patternOf(schema) ?? shapeOf(schema, { schemas: new Map(), enums: new Map() })}\``,
    ]
  })
}

function patternOf(schema: z.core.$ZodType): string | undefined {
  const patterns = (schema._zod.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    'pattern' in def && def.pattern instanceof RegExp ? [def.pattern.source] : [],
  )
  return patterns[0]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

if (import.meta.main) {
  const wanted = await apiReference()
  if (!process.argv.includes('--check')) writeFileSync(page, wanted)
  else if (readFileSync(page, 'utf8') !== wanted) {
    console.error('docs/api.md is not what packages/wire says: run pnpm api-docs')
    process.exit(1)
  } else console.log(`api: docs/api.md tells of all ${Object.keys(routes).length} calls`)
}
