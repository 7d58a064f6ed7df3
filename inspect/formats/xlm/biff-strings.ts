/** Reads the shared strings of Excel 97 to 2003, which continue over several records. */

import { charge, keep } from '#inspect/core/work.ts'

const STRING_WORK = 200
const STRING_BYTES = 60

interface Cursor {
  records: readonly Buffer[]
  record: number
  at: number
}

/** Reading stops where a record ends early. */
export function readStrings(records: readonly Buffer[]): string[] {
  const strings: string[] = []
  const cursor: Cursor = { records, record: 0, at: 8 }
  for (let text = readString(cursor); text !== null; text = readString(cursor)) {
    charge(STRING_WORK + text.length)
    keep(STRING_BYTES + text.length)
    strings.push(text)
  }
  return strings
}

function current({ records, record }: Cursor): Buffer {
  return records[record] ?? Buffer.alloc(0)
}

function advance(cursor: Cursor): boolean {
  if (cursor.at < current(cursor).length) return true
  cursor.record++
  cursor.at = 0
  return cursor.record < cursor.records.length
}

/** Formatting follows the characters, and is skipped. null: the end. */
function readString(cursor: Cursor): string | null {
  if (!advance(cursor)) return null
  const head = current(cursor)
  if (cursor.at + 3 > head.length) return null
  const length = head.readUInt16LE(cursor.at)
  const flags = head[cursor.at + 2] ?? 0
  cursor.at += 3
  const runs = flags & 8 ? readNumber(cursor, 2) : 0
  const extra = flags & 4 ? readNumber(cursor, 4) : 0
  const text = readCharacters(cursor, length, (flags & 1) === 1)
  skip(cursor, runs * 4 + extra)
  return text
}

function readNumber(cursor: Cursor, bytes: 2 | 4): number {
  const record = current(cursor)
  if (cursor.at + bytes > record.length) return 0
  const value = bytes === 2 ? record.readUInt16LE(cursor.at) : record.readUInt32LE(cursor.at)
  cursor.at += bytes
  return value
}

/** A continued string repeats its flag, which may change. */
function readCharacters(cursor: Cursor, length: number, isWide: boolean): string {
  let text = ''
  let wide = isWide
  while (text.length < length) {
    const record = current(cursor)
    const bytes = Math.min((length - text.length) * (wide ? 2 : 1), record.length - cursor.at)
    text += record.toString(wide ? 'utf16le' : 'latin1', cursor.at, cursor.at + bytes)
    cursor.at += bytes
    if (text.length >= length) break
    cursor.record++
    if (cursor.record >= cursor.records.length) break
    wide = ((current(cursor)[0] ?? 0) & 1) === 1
    cursor.at = 1
  }
  return text
}

function skip(cursor: Cursor, bytes: number): void {
  let left = bytes
  while (left > 0 && advance(cursor)) {
    const taken = Math.min(left, current(cursor).length - cursor.at)
    cursor.at += taken
    left -= taken
  }
}
