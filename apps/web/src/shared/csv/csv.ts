/** Without this mark, spreadsheets decode the file with the old character set of their country. */
const BYTE_ORDER_MARK = '\uFEFF'

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** Characters that make a spreadsheet run a cell as a formula or parse it again, also in their full-width forms. */
const BEGINS_A_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * A table as CSV text that any spreadsheet opens. A cell that would run as a formula is written as text; numbers stay
 * numbers.
 */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

/**
 * CSV text as a file. The type names no charset: share sheets recognize the plain type, and the byte order mark shows
 * the encoding.
 */
export const csvFile = (name: string, text: string): File => new File([text], name, { type: 'text/csv' })

function cellText(value: string): string {
  const harmless = BEGINS_A_FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
