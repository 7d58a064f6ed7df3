/** Office documents of campaigns: a project of macros, and the places in which they keep text. */

import {
  type Control,
  controlClass,
  controlPart,
  controlStorage,
  controlStreams,
  formStreams,
} from '../forms-writer.ts'
import { docx } from '../samples.ts'
import { writeVba } from '../vba-writer.ts'
import { record } from '../xls-lock.ts'

export interface OfficePlan {
  /** Source by the name of its module. */
  modules: Readonly<Record<string, string>>
  /** Controls by the name of their form. */
  forms?: Readonly<Record<string, readonly Control[]>>
  /** Lines of the frame of every form, such as its tag. */
  frame?: string
  /** Controls in the text. */
  controls?: readonly Control[]
  variables?: Readonly<Record<string, string>>
  /** Custom properties. */
  properties?: Readonly<Record<string, string>>
  /** Built-in properties: elements of docProps/core.xml. */
  core?: Readonly<Record<string, string>>
  /** Paragraphs of the text. */
  paragraphs?: readonly string[]
  /** Alternative text of the first shape. */
  shape?: string
  comment?: string
  /** Texts of cells by their place, such as `B3`. */
  cells?: Readonly<Record<string, string>>
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const entries = Object.entries
const attributed = (name: string, source: string): string => `Attribute VB_Name = "${name}"\r\n${source}`

function project(
  { modules, forms = {}, frame = '' }: OfficePlan,
  root = '',
  streams = {},
  storages: string[] = [],
): Buffer {
  const folder = (form: string): string => (root === '' ? form : `${root}/${form}`)
  const sources = { ...modules }
  for (const form of Object.keys(forms)) sources[form] ??= ''
  return writeVba(Object.fromEntries(entries(sources).map(([name, source]) => [name, attributed(name, source)])), {
    root,
    storages: [...Object.keys(forms).map(folder), ...storages],
    streams: Object.assign(
      {},
      streams,
      ...entries(forms).map(([form, controls]) => formStreams(folder(form), controls, frame)),
    ),
  })
}

const properties = ({ properties: custom = {}, core = {} }: OfficePlan): Record<string, string> => ({
  'docProps/custom.xml': `<Properties>${entries(custom)
    .map(
      ([name, value], i) =>
        `<property pid="${i + 2}" name="${name}"><vt:lpwstr>${escaped(value)}</vt:lpwstr></property>`,
    )
    .join('')}</Properties>`,
  'docProps/core.xml': `<cp:coreProperties>${entries(core)
    .map(([name, value]) => `<dc:${name}>${escaped(value)}</dc:${name}>`)
    .join('')}</cp:coreProperties>`,
})

/** With macros, of Word 2007 and later. */
export function docm(plan: OfficePlan): Buffer {
  const { controls = [], variables = {}, paragraphs = ['Enable editing to see the invoice.'], shape, comment } = plan
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`)
  if (shape !== undefined)
    body.push(
      `<w:p><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="${escaped(shape)}"/></wp:inline></w:drawing></w:p>`,
    )
  for (const [i, { name }] of controls.entries())
    body.push(
      `<w:p><w:object><w:control r:id="rIdC${i + 1}" w:name="${name}" w:shapeid="_x0000_i10${i}"/></w:object></w:p>`,
    )
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml':
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>',
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body.join('')}</w:body></w:document>`,
    'word/vbaProject.bin': project(plan),
    'word/settings.xml': `<w:settings><w:docVars>${entries(variables)
      .map(([name, value]) => `<w:docVar w:name="${name}" w:val="${escaped(value)}"/>`)
      .join('')}</w:docVars></w:settings>`,
    'word/_rels/document.xml.rels': `<Relationships>${controls
      .map(
        (_, i) =>
          `<Relationship Id="rIdC${i + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/control" Target="activeX/activeX${i + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    ...properties(plan),
  }
  if (comment !== undefined)
    parts['word/comments.xml'] =
      `<w:comments><w:comment w:id="1"><w:p><w:r><w:t>${escaped(comment)}</w:t></w:r></w:p></w:comment></w:comments>`
  for (const [i, control] of controls.entries()) {
    parts[`word/activeX/activeX${i + 1}.xml`] =
      '<ax:ocx ax:classid="{8BD21D10-EC42-11CE-9E0D-00AA006002F3}" ax:persistence="persistStreamInit" r:id="rId1"/>'
    parts[`word/activeX/_rels/activeX${i + 1}.xml.rels`] =
      `<Relationships><Relationship Id="rId1" Type="http://schemas.microsoft.com/office/2006/relationships/activeXControlBinary" Target="activeX${i + 1}.bin"/></Relationships>`
    parts[`word/activeX/activeX${i + 1}.bin`] = controlPart(control)
  }
  return docx(parts)
}

/** Of Word 97: the same in a compound file. */
export function doc(plan: OfficePlan): Buffer {
  const { controls = [], paragraphs = ['Enable editing to see the invoice.'], variables = {} } = plan
  const { table, at, size } = variableTable(variables)
  const text = Buffer.from(`${paragraphs.join('\r')}\r`, 'latin1')
  const head = Buffer.alloc(1_536)
  head.writeUInt16LE(0xa5ec, 0)
  head.writeUInt16LE(0xc1, 2)
  head.writeUInt16LE(0x200, 10)
  head.writeUInt32LE(head.length, 0x18)
  head.writeUInt32LE(head.length + text.length, 0x1c)
  head.writeUInt16LE(14, 32)
  head.writeUInt16LE(22, 62)
  head.writeUInt32LE(text.length, 76)
  head.writeUInt16LE(0x5d, 152)
  head.writeUInt32LE(at, 154 + 60 * 8)
  head.writeUInt32LE(size, 158 + 60 * 8)
  const streams: Record<string, Buffer> = { WordDocument: Buffer.concat([head, text]), '1Table': table }
  for (const [i, control] of controls.entries()) Object.assign(streams, controlStreams(control, i))
  if (plan.shape !== undefined) streams['1Table'] = Buffer.concat([table, Buffer.from(`${plan.shape}\0`, 'utf16le')])
  const storages =
    controls.length === 0
      ? []
      : ['ObjectPool', ...controls.map((control, i) => `${controlStorage(i)}#${controlClass(control)}`)]
  return project(plan, 'Macros', streams, storages)
}

/** Names, then values, of variables ([MS-DOC] 2.9.319). */
function variableTable(variables: Readonly<Record<string, string>>): { table: Buffer; at: number; size: number } {
  const wide = (text: string): Buffer => Buffer.concat([uint16(text.length), Buffer.from(text, 'utf16le')])
  const names = entries(variables).map(([name]) => Buffer.concat([wide(name), Buffer.alloc(4)]))
  const values = entries(variables).map(([, value]) => Buffer.concat([wide(value), Buffer.alloc(2)]))
  const data = Buffer.concat([uint16(0xffff), uint16(names.length), uint16(4), ...names, ...values])
  const at = 512
  return {
    table: Buffer.concat([Buffer.alloc(at), names.length === 0 ? Buffer.alloc(0) : data]),
    at,
    size: data.length,
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])

const placeOf = (cell: string): { row: number; column: number } => {
  const [, letters = 'A', digits = '1'] = /^([A-Z]+)(\d+)$/.exec(cell) ?? []
  return {
    row: Number(digits) - 1,
    column: [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1,
  }
}

/** With macros, of Excel 2007 and later. */
export function xlsm(plan: OfficePlan): Buffer {
  const { cells = {}, comment, shape, controls = [] } = plan
  const ordered = entries(cells).toSorted(
    ([a], [b]) => placeOf(a).row - placeOf(b).row || placeOf(a).column - placeOf(b).column,
  )
  const rows = ordered.map(
    ([place], i) => `<row r="${placeOf(place).row + 1}"><c r="${place}" t="s"><v>${i}</v></c></row>`,
  )
  const parts: Record<string, string | Buffer> = {
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    'xl/workbook.xml': '<workbook><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst>${ordered.map(([, text]) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData><controls>${controls
      .map(({ name }, i) => `<control shapeId="${1025 + i}" r:id="rIdC${i + 1}" name="${name}"/>`)
      .join('')}</controls></worksheet>`,
    'xl/vbaProject.bin': project(plan),
    ...properties(plan),
  }
  if (comment !== undefined)
    parts['xl/comments1.xml'] =
      `<comments><commentList><comment ref="A1"><text><r><t>${escaped(comment)}</t></r></text></comment></commentList></comments>`
  if (shape !== undefined)
    parts['xl/drawings/drawing1.xml'] =
      `<xdr:wsDr><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="TextBox 1" descr="${escaped(shape)}"/></xdr:nvSpPr></xdr:sp></xdr:wsDr>`
  if (controls.length > 0)
    parts['xl/worksheets/_rels/sheet1.xml.rels'] =
      `<Relationships>${controls.map((_, i) => `<Relationship Id="rIdC${i + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/control" Target="../activeX/activeX${i + 1}.xml"/>`).join('')}</Relationships>`
  for (const [i, control] of controls.entries()) {
    parts[`xl/activeX/activeX${i + 1}.xml`] =
      '<ax:ocx ax:classid="{8BD21D10-EC42-11CE-9E0D-00AA006002F3}" r:id="rId1"/>'
    parts[`xl/activeX/activeX${i + 1}.bin`] = controlPart(control)
  }
  return docx(parts)
}

/** Of Excel 97. */
export function xls(plan: OfficePlan): Buffer {
  const bof = (type: number): Buffer => record(0x809, Buffer.from([0, 6, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const end = record(0x0a, Buffer.alloc(0))
  const bound = (at: number): Buffer => {
    const data = Buffer.from([0, 0, 0, 0, 0, 0, 6, 0, ...Buffer.from('Sheet1')])
    data.writeUInt32LE(at)
    return record(0x85, data)
  }
  const globals = Buffer.concat([bof(5), bound(0), end]).length
  const labels = entries(plan.cells ?? {}).map(([place, text]) => {
    const { row, column } = placeOf(place)
    const head = [uint16(row), uint16(column), uint16(0), uint16(text.length), Buffer.from([0])]
    return record(0x204, Buffer.concat([...head, Buffer.from(text, 'latin1')]))
  })
  const Workbook = Buffer.concat([bof(5), bound(globals), end, bof(0x10), ...labels, end])
  return project(plan, '_VBA_PROJECT_CUR', { Workbook })
}
