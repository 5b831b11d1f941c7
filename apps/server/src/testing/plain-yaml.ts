export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml }

/**
 * The part of YAML that our own compose file is written in: maps and lists by indentation, lists on one line as JSON, plain and
 * quoted scalars, all of them read as text. Whatever else there is in YAML is refused, so that nothing is read as what it is not.
 */
export function readPlainYaml(text: string): Yaml {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    .map((line) => ({ depth: line.length - line.trimStart().length, said: line.trim() }))
  const { value, rest } = block(lines, 0)
  if (rest.length > 0) throw new Error(`not understood: ${rest[0]?.said}`)
  return value
}

type Line = { readonly depth: number; readonly said: string }
type Read = { readonly value: Yaml; readonly rest: readonly Line[] }

function block(lines: readonly Line[], depth: number): Read {
  return lines[0]?.said.startsWith('- ') ? list(lines, depth) : map(lines, depth)
}

function list(lines: readonly Line[], depth: number): Read {
  const items: Yaml[] = []
  let rest = lines
  for (let [line] = rest; line?.depth === depth && line.said.startsWith('- '); [line] = rest) {
    items.push(scalar(line.said.slice(2)))
    rest = rest.slice(1)
  }
  return { value: items, rest }
}

function map(lines: readonly Line[], depth: number): Read {
  const entries: [string, Yaml][] = []
  let rest = lines
  for (let [line] = rest; line?.depth === depth; [line] = rest) {
    const [, key, said = ''] = /^([\w.-]+):(?: (.+))?$/.exec(line.said) ?? []
    if (key === undefined) throw new Error(`not understood: ${line.said}`)
    const after = rest.slice(1)
    const inner = said === '' ? block(after, after[0]?.depth ?? 0) : { value: scalar(said), rest: after }
    entries.push([key, inner.value])
    rest = inner.rest
  }
  return { value: Object.fromEntries(entries), rest }
}

function scalar(said: string): Yaml {
  if (/^["[{]/.test(said)) return JSON.parse(said) as Yaml
  if (/^[&*!|>%@`']|: | #/.test(said)) throw new Error(`not understood: ${said}`)
  return said
}
