/** Plain texts that programs read as well: what Markdown, tables, calendars and cards of contacts have beside what people look at. */

import { isCard } from '#inspect/codecs/cards.ts'
import { withoutEscapes } from '#inspect/codecs/json-escapes.ts'
import { withCodeAsText } from '#inspect/codecs/markdown-code.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { mayAddressIn } from '#inspect/judge/hidden/addressed.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { addressesModel, MAY_ADDRESS } from '#inspect/judge/hidden/instructions.ts'
import { readPage } from './page.ts'

type Judge = ReturnType<typeof createTextJudge>

/** Longer texts are not read. */
const BYTES_MAX = 2_000_000
const CHARACTER_WORK = 10

const JSON_TYPE = 'application/json'
const TYPES = new Set(['text/plain', JSON_TYPE])

export const writtenTexts: Format = {
  applies: (item) => item.sniffed.kind === 'text' && TYPES.has(item.sniffed.type) && isRead(item),
  analyse(item, context) {
    if (context.texts !== null || item.bytes.length > BYTES_MAX || !mayAddressIn(item)) return
    const text = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8').replace(
      /\r\n?/g,
      '\n',
    )
    charge(text.length * CHARACTER_WORK)
    const judge = createTextJudge(item, context, { isRated: false })
    if (item.sniffed.type === JSON_TYPE) readJson(text, judge)
    else readWritten(text, judge)
    judge.finish()
  },
}

/** Not those of archives, which may be thousands. */
const isRead = ({ parent }: Item): boolean => parent === null || parent.sniffed.type === 'message/rfc822'

const MARKUP = /<(?:!--|\/?[a-z][a-z0-9]{0,15}[\s/>])/i

function readWritten(text: string, judge: Judge): void {
  const rows = rowsIn(text)
  if (isCard(text)) readCard(text, judge)
  else if (rows !== null) readTable(rows, judge)
  else readProse(text, judge)
}

/** Chats are kept as pages. */
function readJson(text: string, judge: Judge): void {
  const page = withoutEscapes(text)
  if (MARKUP.test(page)) readPage(page, judge, { isDrawing: false, reasons: [] })
}

function readProse(written: string, judge: Judge): void {
  const text = withCodeAsText(written)
  if (MARKUP.test(text)) readPage(text, judge, { isDrawing: false, reasons: [] })
  readMarkdown(text, judge)
  readFar(text, judge)
}

/** `[//]: # (text)`, and definitions of links that nothing shows. */
const DEFINITION =
  /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}(?:<[^>\n]{0,500}>|[^\s]{1,500})[ \t]{1,9}(?:"([^"\n]{10,4000})"|'([^'\n]{10,4000})'|\(([^\n]{10,4000})\)[ \t]{0,9}$)/gm
const PICTURE = /!\[([^[\]\n]{10,4000})\]/g
const TITLE = /\]\([^\s()]{0,1000}[ \t]{1,9}(?:"([^"\n]{10,4000})"|'([^'\n]{10,4000})')/g
/** Comments of programs that show Markdown, and what is before the text. */
const COMMENTS =
  /%%((?:(?!%%)[\s\S]){10,4000})%%|\{::comment\}((?:(?!\{:)[\s\S]){10,4000})|^---\n((?:(?!\n---)[\s\S]){10,4000})\n---/g

function readMarkdown(text: string, judge: Judge): void {
  for (const [pattern, reason] of [
    [DEFINITION, 'comment'],
    [PICTURE, 'alt'],
    [TITLE, 'alt'],
    [COMMENTS, 'comment'],
  ] as const)
    for (const [, ...found] of text.matchAll(pattern)) judge.doubt(found.find((each) => each) ?? '', reason)
}

/** What stands below so many empty lines is outside of every window, and so is the rest of a line behind so many blanks. */
const BELOW = /(?:\n[ \t]{0,20}){20,5000}/
const BESIDE = /(?<![ \t\u00a0])[ \t\u00a0]{100,}([^\s|][^\n]{9,4000})/g

function readFar(text: string, judge: Judge): void {
  const below = BELOW.exec(text)
  if (below !== null) judge.doubt(text.slice(below.index + below[0].length), 'off-page')
  for (const [, beside = ''] of text.matchAll(BESIDE)) judge.doubt(beside, 'off-page')
}

/** Properties that programs show. */
const SHOWN = /^(?:summary|description|location|fn|n|org|title|note|contact)$/

function readCard(text: string, judge: Judge): void {
  const cells: string[] = []
  for (const line of text.replace(/\n[ \t]/g, '').split('\n')) {
    const { name, parameters, written } = propertyIn(line)
    const value = written.replace(/\\n/gi, '\n').replace(/\\([,;\\])/g, '$1')
    if (parameters.length > PARAMETERS_MIN) judge.doubt(parameters, 'metadata')
    if (/html/i.test(name + parameters)) readPage(value, judge, { isDrawing: false, reasons: [] })
    if (SHOWN.test(name.toLowerCase())) readFar(value, judge)
    else judge.doubt(value, 'metadata')
    if (value !== '') cells.push(value)
  }
  readCells(cells, judge)
}

/** `NAME;key="value":text`: a colon in quotes is a part of a value. */
function propertyIn(line: string): { name: string; parameters: string; written: string } {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    if (line[at] !== ':' || isQuoted) continue
    const [name = ''] = line.slice(0, at).split(';', 1)
    return { name, parameters: line.slice(name.length, at), written: line.slice(at + 1) }
  }
  return { name: '', parameters: '', written: '' }
}

const PARAMETERS_MIN = 30
/** Cells of a text, and of them those that address a model: a list of such texts is about them. */
const CELLS_MIN = 3
const FOUND_MAX = 2

/** A cell that addresses a model between others that do not. */
function readCells(cells: readonly string[], judge: Judge): void {
  if (cells.length < CELLS_MIN) return
  const found: string[] = []
  let judged = 0
  for (const cell of cells) {
    if (cell.length <= CELL_MIN || !MAY_ADDRESS.test(cell)) continue
    judged += cell.length
    if (judged > CELLS_LENGTH_MAX) return
    if (addressesModel(cell, 'shown')) found.push(cell)
    if (found.length > FOUND_MAX) return
  }
  for (const cell of found) judge.doubt(cell, 'comment')
}

const CELL_MIN = 30
/** Characters of cells that may address a model: more are a list of such texts as well. */
const CELLS_LENGTH_MAX = 200_000
const ROWS_MIN = 3
const ROWS_MAX = 20_000

/** null: no table. */
function rowsIn(text: string): string[][] | null {
  const lines = text.trim().split('\n', ROWS_MAX)
  const head = lines.find((line) => !line.startsWith('#')) ?? ''
  const sign = [';', '\t', ',', '|'].find((each) => head.split(each).length > 1 && !head.startsWith(each))
  if (sign === undefined || lines.length < ROWS_MIN || /[.!?:] /.test(head)) return null
  const rows = lines.map((line) => (line.startsWith('#') ? [line] : cellsOf(line, sign)))
  const width = rows.find((row) => row.length > 1)?.length ?? 0
  const least = width === 2 ? 2 : width - 1
  return rows.filter((row) => row.length >= least).length > rows.length / 2 ? rows : null
}

function cellsOf(line: string, sign: string): string[] {
  const cells: string[] = []
  let isQuoted = false
  for (const piece of line.split(sign)) {
    if (isQuoted) cells[cells.length - 1] += sign + piece
    else cells.push(piece)
    if (piece.split('"').length % 2 === 0) isQuoted = !isQuoted
  }
  return cells.map((cell) => cell.trim().replace(/^"|"$/g, '').replaceAll('""', '"'))
}

/** Columns that people who look at a table take for those of programs. */
const INNER = /^_|hidden|intern|meta|system|debug|llm|prompt|instruct|\bai\b|\bki\b|machine|assist/i

function readTable(rows: readonly (readonly string[])[], judge: Judge): void {
  const [head = []] = rows.filter(([first = '']) => !first.startsWith('#'))
  for (const row of rows) {
    if (row[0]?.startsWith('#')) judge.doubt(row.join(' ').slice(1), 'comment')
    for (const [i, cell] of row.entries())
      if (cell.length > CELL_MIN && (i >= head.length || INNER.test(head[i] ?? ''))) judge.doubt(cell, 'comment')
  }
  readCells(rows.flat(), judge)
}
