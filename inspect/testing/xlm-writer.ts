/** Writes workbooks with Excel 4 macro sheets for tests. */

import { writeOle } from './ole-writer.ts'
import { record } from './xls-lock.ts'
import { writeZip } from './zip-writer.ts'

interface XlmPlan {
  /** Formulas of the column A of the macro sheet. */
  formulas: readonly string[]
  /** Defined names, each for the first cell. */
  names?: readonly string[]
  state?: 'visible' | 'hidden' | 'veryHidden'
  /** Path of the macro sheet. */
  part?: string
  /** Texts of the column A of a worksheet named `data`. */
  data?: readonly string[]
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const cells = (tags: readonly string[]): string =>
  tags.map((tag, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="str">${tag}</c></row>`).join('')

/** xlsm. */
export function writeXlm({
  formulas,
  names = ['_xlnm.Auto_Open'],
  state = 'visible',
  part = 'macrosheets/sheet1.xml',
  data = [],
}: XlmPlan): Buffer {
  const macro = cells(formulas.map((formula) => `<f>${escaped(formula)}</f>`))
  const sheet = cells(data.map((text) => `<v>${escaped(text)}</v>`))
  const defined = names.map((name) => `<definedName name="${name}" hidden="1">m!$A$1</definedName>`).join('')
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="http://schemas.microsoft.com/office/2006/relationships/${type}" Target="${target}"/>`
  const parts: Record<string, string> = {
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    '_rels/.rels': '<Relationships/>',
    'xl/workbook.xml': `<workbook><sheets><sheet name="m" sheetId="1" state="${state}" r:id="rId1"/><sheet name="data" sheetId="2" r:id="rId2"/></sheets><definedNames>${defined}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1, 'xlMacrosheet', part)}${relation(2, 'worksheet', 'worksheets/sheet1.xml')}</Relationships>`,
    [`xl/${part}`]: `<xm:macrosheet><sheetData>${macro}</sheetData></xm:macrosheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  }
  return writeZip(Object.entries(parts).map(([name, text]) => ({ name, data: text })))
}

/** Tokens of a stored formula. */
export const tokens = {
  text: (text: string): Buffer => Buffer.concat([Buffer.from([0x17, text.length, 0]), Buffer.from(text, 'latin1')]),
  number: (value: number): Buffer => Buffer.from([0x1e, value & 255, value >> 8]),
  concatenated: Buffer.from([0x08]),
  cell: (row: number, column: number): Buffer => Buffer.from([0x44, row & 255, row >> 8, column, 0]),
  call: (number: number, args: number): Buffer => Buffer.from([0x42, args, number & 255, number >> 8]),
  fixed: (number: number): Buffer => Buffer.from([0x41, number & 255, number >> 8]),
}

interface BiffPlan {
  /** Tokens of the formulas of the column A. */
  formulas: readonly Buffer[]
  /** A text, or the number of a built-in name. */
  name?: string | number | null
  state?: number
  /** Type of the sheet in the list and in its header. */
  listed?: number
  header?: number
  /** Where each formula goes on in another record. */
  cutAt?: number
}

/** xls of Excel 97. */
export function writeBiffXlm({ formulas, name = 1, state = 0, listed = 1, header = 0x40, cutAt }: BiffPlan): Buffer {
  const bof = (type: number): Buffer => record(0x0809, Buffer.from([0, 6, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const end = record(0x0a, Buffer.alloc(0))
  const bound = (at: number): Buffer => {
    const data = Buffer.from([0, 0, 0, 0, state, listed, 1, 0, 0x6d])
    data.writeUInt32LE(at)
    return record(0x85, data)
  }
  const defined = name === null ? Buffer.alloc(0) : record(0x18, nameData(name))
  const globals = [bof(5), bound(0), defined, end]
  const start = Buffer.concat(globals).length
  globals[1] = bound(start)
  const sheet = formulas.map((formula, row) => {
    const head = Buffer.alloc(22)
    head.writeUInt16LE(row, 0)
    head.writeUInt16LE(formula.length, 20)
    const data = Buffer.concat([head, formula])
    if (cutAt === undefined) return record(0x06, data)
    return Buffer.concat([record(0x06, data.subarray(0, cutAt)), record(0x3c, data.subarray(cutAt))])
  })
  return writeOle({ streams: { Workbook: Buffer.concat([...globals, bof(header), ...sheet, end]) } })
}

function nameData(name: string | number): Buffer {
  const text = typeof name === 'number' ? String.fromCharCode(name) : name
  const head = Buffer.alloc(15)
  head.writeUInt16LE(typeof name === 'number' ? 0x21 : 1, 0)
  head[3] = text.length
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}
