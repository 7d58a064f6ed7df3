/** Binary workbooks of Excel 2007 (xlsb) with an Excel 4 macro sheet, and formulas as Excel stores them. */

import { writeZip } from '../zip-writer.ts'

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const wide = (text: string): Buffer => Buffer.concat([uint32(text.length), Buffer.from(text, 'utf16le')])

/** Id and length of seven bits each. */
function record(id: number, ...data: readonly Buffer[]): Buffer {
  const body = Buffer.concat(data)
  const head = id > 127 ? [(id & 0x7f) | 0x80, id >> 7] : [id]
  for (let left = body.length; ; left >>= 7) {
    head.push(left > 127 ? (left & 0x7f) | 0x80 : left)
    if (left <= 127) return Buffer.concat([Buffer.from(head), body])
  }
}

/** Tokens of a formula in xlsb. */
export const tokensB = {
  text: (text: string): Buffer =>
    Buffer.concat([Buffer.from([0x17, text.length & 255, text.length >> 8]), Buffer.from(text, 'utf16le')]),
  number: (value: number): Buffer => Buffer.from([0x1e, value & 255, value >> 8]),
  joined: Buffer.from([0x08]),
  cell: (row: number, column: number): Buffer =>
    Buffer.concat([Buffer.from([0x44]), uint32(row), Buffer.from([column, 0])]),
  call: (number: number, args: number): Buffer => Buffer.from([0x42, args, number & 255, number >> 8]),
  fixed: (number: number): Buffer => Buffer.from([0x41, number & 255, number >> 8]),
}

interface Plan {
  formulas: readonly Buffer[]
  /** Texts of the column A of another sheet. */
  data?: readonly string[]
  name?: string
}

export function writeXlsb({ formulas, data = [], name = '_xlnm.Auto_Open' }: Plan): Buffer {
  const row = (index: number): Buffer => record(0, uint32(index), Buffer.alloc(13))
  const macro = formulas.map((tokens, i) =>
    Buffer.concat([
      row(i),
      record(8, uint32(0), uint32(0), wide(''), Buffer.from([0, 0]), uint32(tokens.length), tokens, uint32(0)),
    ]),
  )
  const cells = data.map((text, i) => Buffer.concat([row(i), record(6, uint32(0), uint32(0), wide(text))]))
  const sheet = (hidden: number, id: number, relation: string, title: string): Buffer =>
    record(156, uint32(hidden), uint32(id), wide(relation), wide(title))
  const first = Buffer.concat([Buffer.from([0x5a, 0, 0]), uint32(0), Buffer.from([0, 0])])
  const defined = record(
    39,
    uint32(0),
    Buffer.from([0]),
    uint32(0xffffffff),
    wide(name),
    uint32(first.length),
    first,
    uint32(0),
  )
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://schemas.microsoft.com/office/2006/relationships/${type}" Target="${target}"/>`
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>',
    '_rels/.rels': '<Relationships/>',
    'xl/workbook.bin': Buffer.concat([sheet(2, 1, 'rId1', 'm'), sheet(0, 2, 'rId2', 'data'), defined]),
    'xl/_rels/workbook.bin.rels': `<Relationships>${relation('rId1', 'xlMacrosheet', 'macrosheets/sheet1.bin')}${relation('rId2', 'worksheet', 'worksheets/sheet1.bin')}</Relationships>`,
    'xl/macrosheets/sheet1.bin': Buffer.concat(macro),
    'xl/worksheets/sheet1.bin': Buffer.concat(cells),
  }
  return writeZip(Object.entries(parts).map(([path, data]) => ({ name: path, data })))
}
