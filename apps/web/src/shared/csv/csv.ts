/** Spreadsheets decode a file without it as whatever their country used to write. */
const BYTE_ORDER_MARK = '\uFEFF'

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** What makes a spreadsheet calculate, or look again at what follows; in the wide forms of East Asia too. */
const BEGINS_A_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A table as a file that any spreadsheet opens. A cell that would be run as a formula is written as text; numbers stay numbers. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

/** The same as a file. Its type names no charset: share sheets know files by the plain type, and the mark tells the rest. */
export const csvFile = (name: string, text: string): File => new File([text], name, { type: 'text/csv' })

function cellText(value: string): string {
  const harmless = BEGINS_A_FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
