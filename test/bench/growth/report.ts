import { mkdir, writeFile } from 'node:fs/promises'

/** What one read, command or job cost in each pool, in the order of the sizes. */
export type Cost = { readonly milliseconds: number; readonly pages: number; readonly rows: number }
export type Result = { readonly name: string; readonly costs: readonly Cost[] }

const FOLDER = new URL('../../../artifacts/growth/', import.meta.url)

/** Writes a table and a picture of the results, for docs/scale.md. */
export async function writeReport(sizes: readonly number[], results: readonly Result[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(new URL('growth.md', FOLDER), buildTable(sizes, results))
  await writeFile(new URL('growth.svg', FOLDER), drawPages(sizes, results))
  console.log('the table and the picture are in artifacts/growth')
}

function buildTable(sizes: readonly number[], results: readonly Result[]): string {
  const columns = sizes.map((size) => `${size.toLocaleString('en')} members`)
  const formatCost = ({ milliseconds, pages, rows }: Cost) =>
    `${milliseconds.toFixed(1)} ms, ${Math.round(pages)}, ${Math.round(rows)}`
  return [
    `| median time, pages, rows | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...results.map(({ name, costs }) => `| \`${name}\` | ${costs.map(formatCost).join(' | ')} |`),
    '',
  ].join('\n')
}

const ROW = 16
const LEFT = 230
const WIDTH = 460
const TOP = 40
const DECADES = 5

/** For each result a line from its pages in the smallest pool to those in the largest, on a logarithmic scale. */
function drawPages(sizes: readonly number[], results: readonly Result[]): string {
  const x = (pages: number) => LEFT + (Math.log10(Math.max(1, pages)) / DECADES) * WIDTH
  const height = TOP + results.length * ROW + 10
  const grid = Array.from({ length: DECADES + 1 }, (_, power) => {
    const at = x(10 ** power).toFixed(1)
    return `<path d="M${at} ${TOP - 8}V${height - 6}" class="grid"/><text x="${at}" y="${TOP - 12}" class="scale">${(10 ** power).toLocaleString('en')}</text>`
  })
  const rows = results.map(({ name, costs }, index) => {
    const y = TOP + index * ROW + 6
    const [first, last] = [costs[0]?.pages ?? 0, costs.at(-1)?.pages ?? 0]
    return `<text x="${LEFT - 10}" y="${y + 4}" class="name">${name.replaceAll('&', '&amp;')}</text><path d="M${x(first).toFixed(1)} ${y}H${x(last).toFixed(1)}" class="change"/><circle cx="${x(first).toFixed(1)}" cy="${y}" r="4" class="first"/><circle cx="${x(last).toFixed(1)}" cy="${y}" r="3" class="last"/>`
  })
  const [smallest = 0, largest = 0] = [sizes[0], sizes.at(-1)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 40} ${height}" font-family="sans-serif" font-size="11">
<title>Pages touched by one call in pools of two sizes</title>
<style>.name{text-anchor:end;fill:#333}.scale{text-anchor:middle;fill:#777}.grid{stroke:#ddd}.change{stroke:#c60;stroke-width:2}.first{fill:none;stroke:#06c;stroke-width:1.5}.last{fill:#c60}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="10" y="16" fill="#333">Pages touched by one call: ring among ${smallest.toLocaleString('en')} members, dot among ${largest.toLocaleString('en')}</text>
${[...grid, ...rows].join('\n')}
</svg>
`
}
