/** A comment, something in quotes, a semicolon, plain text, or a character that begins none of these here. */
const PIECE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g

/** The statements of a text, each without its comments before and after it and without its semicolon. */
export function sqlStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [piece] of text.matchAll(PIECE)) {
    const isComment = piece.startsWith('--') || piece.startsWith('/*')
    if (piece === ';') {
      statements.push(statement.trim())
      statement = ''
    } else if (!isComment) statement += piece
  }
  if (statement.trim() !== '') throw new Error(`a statement has no end: ${statement.trim()}`)
  return statements
}
