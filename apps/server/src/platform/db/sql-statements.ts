/** A comment, quoted text, a semicolon, plain text, or a single character that starts none of these. */
const PIECE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g

/** Splits SQL into statements, without comments and semicolons. Every statement must end with a semicolon. */
export function splitSqlStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [piece] of text.matchAll(PIECE)) {
    const isComment = piece.startsWith('--') || piece.startsWith('/*')
    if (piece === ';') {
      statements.push(statement.trim())
      statement = ''
    } else if (!isComment) statement += piece
  }
  if (statement.trim() !== '') throw new Error(`a statement does not end with a semicolon: ${statement.trim()}`)
  return statements
}
