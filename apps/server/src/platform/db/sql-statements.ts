/** A piece of SQL that ends in a way of its own, and in which a semicolon ends no statement. */
const QUOTED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1/y

/** The statements of a text, each without its comments before and after it and without its semicolon. */
export function sqlStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (let at = 0; at < text.length; ) {
    QUOTED.lastIndex = at
    const [quoted] = QUOTED.exec(text) ?? []
    const isComment = quoted?.startsWith('--') || quoted?.startsWith('/*')
    if (quoted !== undefined) statement += isComment ? '' : quoted
    else if (text[at] !== ';') statement += text[at]
    else {
      statements.push(statement.trim())
      statement = ''
    }
    at += quoted?.length ?? 1
  }
  if (statement.trim() !== '') throw new Error(`a statement has no end: ${statement.trim()}`)
  return statements
}
