/** Fields of binary Word documents, in the order of the text and not of the file. */

import { OFFICE } from '#inspect/catalogue/office.ts'
import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { judgeField } from '#inspect/judge/fields.ts'
import { createLinkJudge } from '#inspect/judge/links.ts'
import { judgeTemplate, templateOf } from './word-template.ts'

const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200
const FLAGS_AT = 0x0a
const TEXT_START_AT = 0x18
const TEXT_END_AT = 0x1c
const CLX_AT = 0x1a2
const WORD_97 = 0xa5ec

const BYTE_WORK = 10
const FIELD_WORK = 3_000

export function judgeWordFields(item: Item, compound: Compound, context: Context): void {
  for (const entry of compound.entries) {
    if (entry.storage || entry.name !== 'WordDocument') continue
    const word = view(compound.read(entry).bytes)
    if (word.length < 0x20 || word.readUInt16LE(FLAGS_AT) & ENCRYPTED) continue
    charge(word.length * BYTE_WORK)
    const table = tableOf(word, entry, compound)
    judgeTemplate(item, templateOf(word, table), context)
    const links = createLinkJudge(item, context)
    for (const instruction of instructionsIn(textOf(word, table))) {
      charge(FIELD_WORK)
      const found = judgeField(instruction, OFFICE.docDdeField, links.add)
      if (found !== null) context.addFinding(item, { ...found.definition, detail: found.detail })
    }
    links.finish()
  }
}

/** Of the same storage: documents may be embedded in documents. */
function tableOf(word: Buffer, { parent }: OleEntry, compound: Compound): Buffer {
  const name = word.readUInt16LE(FLAGS_AT) & SECOND_TABLE ? '1Table' : '0Table'
  const entry = compound.entries.find((each) => each.name === name && each.parent === parent)
  return entry === undefined ? Buffer.alloc(0) : view(compound.read(entry).bytes)
}

function textOf(word: Buffer, table: Buffer): string {
  const pieces = word.readUInt16LE(0) === WORD_97 ? piecesOf(word, table) : null
  if (pieces !== null) return pieces
  const start = word.readUInt32LE(TEXT_START_AT)
  const end = Math.min(word.readUInt32LE(TEXT_END_AT), word.length)
  // Without a piece table, the text is in one piece, 8-bit or UTF-16.
  keep(Math.max(0, end - start) * 2)
  return `${word.toString('latin1', start, end)}\n${word.toString('utf16le', start, end)}`
}

const PROPERTIES = 1
const PIECE_TABLE = 2
const PIECE_BYTES = 12
const COMPRESSED = 0x40000000

/** [MS-DOC] 2.9.38. null: unreadable. */
function piecesOf(word: Buffer, table: Buffer): string | null {
  if (word.length < CLX_AT + 8) return null
  let at = word.readUInt32LE(CLX_AT)
  while (table[at] === PROPERTIES && at + 3 <= table.length) at += 3 + table.readUInt16LE(at + 1)
  if (table[at] !== PIECE_TABLE || at + 5 > table.length) return null
  const plc = table.subarray(at + 5, at + 5 + table.readUInt32LE(at + 1))
  const count = Math.floor((plc.length - 4) / PIECE_BYTES)
  const texts: string[] = []
  // Pieces may overlap, so that a small document has a long text.
  for (let i = 0; i < count; i++) {
    const length = plc.readUInt32LE(i * 4 + 4) - plc.readUInt32LE(i * 4)
    const position = plc.readUInt32LE((count + 1) * 4 + i * 8 + 2)
    const isCompressed = (position & COMPRESSED) !== 0
    const start = isCompressed ? (position & ~COMPRESSED) >>> 1 : position
    const end = Math.min(word.length, start + Math.max(0, length) * (isCompressed ? 1 : 2))
    keep(Math.max(0, end - start) + PIECE_BYTES * 4)
    texts.push(word.toString(isCompressed ? 'latin1' : 'utf16le', start, end))
  }
  return texts.join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they delimit fields.
const MARKS = /[\x13\x14\x15]/g

interface Open {
  instruction: string
  /** The separator was read: the rest is the result, which the field around it reads. */
  isResult: boolean
}

/** A field in a field contributes its result. */
function* instructionsIn(text: string): Generator<string> {
  const open: Open[] = []
  let from = 0
  for (const { 0: sign, index } of text.matchAll(MARKS)) {
    charge(FIELD_WORK)
    const reader = readerOf(open)
    if (reader !== null) reader.instruction += text.slice(from, index)
    from = index + 1
    // Text before a field in a field may name the program already.
    if (sign === '\x13' && reader !== null) yield reader.instruction
    const closed = applyMark(open, sign)
    if (closed !== undefined) yield closed.instruction
  }
  const reader = readerOf(open)
  if (reader !== null) reader.instruction += text.slice(from)
  for (const { instruction } of open) yield instruction
}

/** The field that reads a text as its instruction: the innermost, or after its separator the one around it. */
function readerOf(open: readonly Open[]): Open | null {
  const last = open.at(-1)
  if (last === undefined || !last.isResult) return last ?? null
  const outer = open.at(-2)
  return outer === undefined || outer.isResult ? null : outer
}

/** Returns the field that ended. */
function applyMark(open: Open[], sign: string): Open | undefined {
  if (sign === '\x15') return open.pop()
  const last = open.at(-1)
  if (sign === '\x13') open.push({ instruction: '', isResult: false })
  else if (last !== undefined) last.isResult = true
  return undefined
}
