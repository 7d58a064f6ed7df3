/** Tables as CSV (RFC 4180). */

/** Without it, Excel reads names in the encoding of the computer instead of UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Spreadsheets run a cell that begins like this as a formula; some read full-width characters as the narrow ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Text is always quoted: in some languages, spreadsheets also separate cells by other characters than commas. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}

export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
