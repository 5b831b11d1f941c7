/**
 * What a source file imports. TypeScript 7 has no programming interface yet, and the bundler's parsers drop type imports, so
 * this reads tokens: enough to tell an import from the word "import" in a comment, a string, a template or a pattern.
 */

export type ImportStatement = {
  readonly specifier: string
  readonly line: number
  /** `type` is gone when the program runs; `dynamic` is loaded when it is reached; `static` is loaded at once. */
  readonly kind: 'static' | 'dynamic' | 'type'
}

type Token = { readonly text: string; readonly line: number; readonly string: boolean }

export function importStatements(source: string): ImportStatement[] {
  const tokens = tokenize(source)
  const found: ImportStatement[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token || token.string || (token.text !== 'import' && token.text !== 'export')) continue
    // `something.import(…)` and `{ import: … }` are names, not statements.
    if (tokens[at - 1]?.text === '.' || tokens[at + 1]?.text === ':') continue
    const statement = token.text === 'import' ? readImport(tokens, at) : readExport(tokens, at)
    if (statement) found.push(statement)
  }
  return found
}

function readImport(tokens: readonly Token[], at: number): ImportStatement | undefined {
  const next = tokens[at + 1]
  if (!next) return undefined
  if (next.string) return { specifier: next.text, line: next.line, kind: 'static' }
  if (next.text === '(') {
    const specifier = tokens[at + 2]
    if (!specifier?.string) return undefined
    const kind = tokens[at - 1]?.text === 'typeof' ? 'type' : 'dynamic'
    return { specifier: specifier.text, line: specifier.line, kind }
  }
  return readFrom(tokens, at + 1)
}

function readExport(tokens: readonly Token[], at: number): ImportStatement | undefined {
  const next = tokens[at + 1]?.text
  const afterType = next === 'type' ? tokens[at + 2]?.text : next
  return afterType === '{' || afterType === '*' ? readFrom(tokens, at + 1) : undefined
}

/** From the first word after `import` or `export` to the string after `from`; nothing else may stand between. */
function readFrom(tokens: readonly Token[], at: number): ImportStatement | undefined {
  const clause: string[] = []
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i]
    if (!token || token.string) return undefined
    const after = tokens[i + 1]
    if (token.text === 'from' && after?.string) {
      return { specifier: after.text, line: after.line, kind: isTypeOnly(clause) ? 'type' : 'static' }
    }
    if (!/^[\w$]+$|^[{}*,]$/.test(token.text)) return undefined
    clause.push(token.text)
  }
  return undefined
}

/** `type X`, `type { X }`, and `{ type X, type Y }`; but `type, { X }` and `type from` import a value called type. */
function isTypeOnly(clause: readonly string[]): boolean {
  if (clause[0] === 'type' && clause.length > 1 && clause[1] !== ',') return true
  if (clause[0] !== '{') return false
  const names = clause
    .slice(1, -1)
    .join(' ')
    .split(',')
    .map((name) => name.trim())
  const named = names.filter((name) => name !== '')
  return named.length > 0 && named.every((name) => /^type \S/.test(name))
}

const WORD = /[\w$]/
/** After these a slash begins a pattern; after a name, a number or a closing bracket it divides. */
const BEFORE_PATTERN = /^(?:[=(,:;!&|?{}[+\-*%~^>]|return|typeof|case|in|of|do|else|void|delete|await|yield)$/

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let at = 0
  /** For each template literal that we are inside of, how many braces are open in its present `${…}`. */
  const templates: number[] = []

  const push = (text: string, string = false) => tokens.push({ text, line, string })
  const skipTemplateText = () => {
    while (at < source.length) {
      const character = source[at]
      if (character === '\n') line++
      if (character === '\\') at++
      else if (character === '`') {
        at++
        return
      } else if (character === '$' && source[at + 1] === '{') {
        at += 2
        templates.push(0)
        return
      }
      at++
    }
  }

  while (at < source.length) {
    const character = source[at] ?? ''
    const two = source.slice(at, at + 2)
    if (character === '\n') {
      line++
      at++
    } else if (/\s/.test(character)) {
      at++
    } else if (two === '//') {
      at = endOfLine(source, at)
    } else if (two === '/*') {
      const end = source.indexOf('*/', at + 2)
      const comment = source.slice(at, end === -1 ? source.length : end + 2)
      line += comment.split('\n').length - 1
      at += comment.length
    } else if (character === '"' || character === "'") {
      const [text, end] = readQuoted(source, at)
      push(text, true)
      at = end
    } else if (character === '`') {
      at++
      skipTemplateText()
      push('`')
    } else if (character === '/' && isPattern(tokens.at(-1))) {
      at = endOfPattern(source, at)
      push('/')
    } else if (WORD.test(character)) {
      const start = at
      while (at < source.length && WORD.test(source[at] ?? '')) at++
      push(source.slice(start, at))
    } else {
      const depth = templates.at(-1)
      if (depth !== undefined && character === '{') templates[templates.length - 1] = depth + 1
      if (depth !== undefined && character === '}') {
        if (depth === 0) {
          templates.pop()
          at++
          skipTemplateText()
          continue
        }
        templates[templates.length - 1] = depth - 1
      }
      push(character)
      at++
    }
  }
  return tokens
}

const isPattern = (before: Token | undefined): boolean =>
  before === undefined || (!before.string && BEFORE_PATTERN.test(before.text))

const endOfLine = (source: string, from: number): number => {
  const end = source.indexOf('\n', from)
  return end === -1 ? source.length : end
}

/** A quote that does not close on its line is an apostrophe in the text of an element, and ends with the line. */
function readQuoted(source: string, start: number): [text: string, end: number] {
  const quote = source[start]
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === quote) return [source.slice(start + 1, at), at + 1]
    else if (source[at] === '\n') return ['', at]
  }
  return ['', source.length]
}

function endOfPattern(source: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at]
    if (character === '\\') at++
    else if (character === '\n') return at
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) return at + 1
  }
  return source.length
}
