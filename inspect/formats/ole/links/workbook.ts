/** Links of binary workbooks: DDE servers, other workbooks and hyperlinks. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { joinedRecord } from '#inspect/codecs/biff-records.ts'
import { monikersIn } from '#inspect/codecs/monikers.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { judgeDde } from '#inspect/judge/dde.ts'
import { createLinkJudge, targetDetail } from '#inspect/judge/links.ts'
import { judgeReference } from '#inspect/judge/references.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

const HEADER_BYTES = 4
const RECORD_WORK = 100
/** Excel 97 and later, and Excel 5. */
const SUP_BOOK = 0x01ae
const EXTERN_SHEET = 0x0017
const EXTERN_NAME = 0x0023
/** Between the server and the topic. */
const DELIMITER = '\x03'

export const binaryWorkbook: Format = {
  among: { members: true },
  applies: ({ path, parent }) => /^(?:work)?book$/i.test(path.at(-1) ?? '') && parent !== null && isOle2(parent.bytes),
  analyse(item, context) {
    judgeRecords(item, view(item.bytes), context)
    const links = createLinkJudge(item, context)
    for (const bytes of [item.bytes, ...cutHyperlinks(view(item.bytes))])
      for (const { target } of monikersIn(bytes)) links.add(target)
    links.finish()
  },
}

const HYPERLINK = 0x01b8

/** Others are found anywhere in the bytes. */
function cutHyperlinks(book: Buffer): Buffer[] {
  const cut: Buffer[] = []
  for (let at = 0; at + HEADER_BYTES <= book.length; at += HEADER_BYTES + book.readUInt16LE(at + 2)) {
    charge(RECORD_WORK)
    if (book.readUInt16LE(at) !== HYPERLINK) continue
    const { data, cutText } = joinedRecord(book, at)
    if (data !== cutText) cut.push(data)
  }
  return cut
}

type Conversation = ReturnType<typeof conversationIn>

function judgeRecords(item: Item, book: Buffer, context: Context): void {
  let conversations: Conversation[] = []
  for (let at = 0; at + HEADER_BYTES <= book.length; at += HEADER_BYTES + book.readUInt16LE(at + 2)) {
    charge(RECORD_WORK)
    const id = book.readUInt16LE(at)
    const readName = NAMES.get(id)
    if (readName === undefined) continue
    const { data, cutText } = joinedRecord(book, at)
    const names = (cutText === data ? [data] : [data, cutText]).map(readName)
    if (id !== EXTERN_NAME) conversations = names.map((name) => judgeSource(item, name, context))
    addConversations(item, conversations, id === EXTERN_NAME ? names : [''], context)
  }
}

function externName(data: Buffer): string {
  return data.subarray(6).toString('latin1').replaceAll('\0', '')
}

const NAMES: ReadonlyMap<number, (data: Buffer) => string> = new Map([
  [SUP_BOOK, bookName],
  [EXTERN_SHEET, shortName],
  [EXTERN_NAME, externName],
])

function addConversations(
  item: Item,
  found: readonly Conversation[],
  names: readonly string[],
  context: Context,
): void {
  for (const { server, topic } of found.filter((each) => each !== null)) {
    const isCommand = names.some((name) => judgeDde(server, topic, name) === 'command')
    const definition = isCommand ? EXCEL.ddeCommand : EXCEL.ddeFeed
    context.addFinding(item, { ...definition, detail: describeTarget(`${server} ${topic}`) })
  }
}

/** Encoded paths of other workbooks begin with the first two characters, and separate folders by the delimiter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they mark the encoding.
const ENCODED = /^[\u0001\u0002]/

/** A DDE conversation; null: another workbook, which Excel reads if the user agrees. */
function judgeSource(item: Item, name: string, context: Context): ReturnType<typeof conversationIn> {
  if (!ENCODED.test(name)) return conversationIn(name)
  const path = pathOf(name.slice(1))
  const found = judgeReference('externallinkpath', path, true)
  if (found !== null && found.severity !== 'notice') context.addFinding(item, { ...found, detail: targetDetail(path) })
  return null
}

/** Signs stand for a drive or a server, the same drive, a folder, the folder above, and the length of an address. */
function pathOf(encoded: string): string {
  const sign = encoded[0]
  if (sign === '\x05') return encoded.slice(2)
  const rest = encoded.replaceAll('\x03', '\\').replaceAll('\x04', '..\\')
  if (sign === '\x01') return rest[1] === '@' ? `\\\\${rest.slice(2)}` : `${rest.slice(1, 2)}:\\${rest.slice(2)}`
  return sign === '\x02' ? `\\${rest.slice(1)}` : rest
}

function conversationIn(name: string): { server: string; topic: string } | null {
  const at = name.indexOf(DELIMITER)
  return at <= 0 ? null : { server: name.slice(0, at), topic: name.slice(at + 1) }
}

/** The number of sheets, then a string: its length, whether it is UTF-16, and the characters. */
function bookName(data: Buffer): string {
  if (data.length < 5) return ''
  const length = data.readUInt16LE(2)
  return (data[4] ?? 0) & 1 ? data.toString('utf16le', 5, 5 + length * 2) : data.toString('latin1', 5, 5 + length)
}

/** A length in one byte, and 8-bit characters. */
function shortName(data: Buffer): string {
  return data.toString('latin1', 1, 1 + (data[0] ?? 0))
}
