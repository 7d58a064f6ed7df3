/** Records of binary workbooks (BIFF), which may be continued in further records. */

import { charge } from '#inspect/core/work.ts'

const HEADER_BYTES = 4
const CONTINUE = 0x3c
const RECORD_WORK = 100

interface JoinedRecord {
  data: Buffer
  /** If a text is cut: each continuation begins with a byte that tells the width of its characters. */
  cutText: Buffer
  end: number
}

/** The record at an offset, with its continuations. */
export function joinedRecord(book: Buffer, at: number): JoinedRecord {
  const first = dataAt(book, at)
  let end = at + HEADER_BYTES + first.length
  const more: Buffer[] = []
  while (end + HEADER_BYTES <= book.length && book.readUInt16LE(end) === CONTINUE) {
    charge(RECORD_WORK)
    const data = dataAt(book, end)
    more.push(data)
    end += HEADER_BYTES + data.length
  }
  if (more.length === 0) return { data: first, cutText: first, end }
  const length = more.reduce((sum, data) => sum + data.length, first.length)
  charge(length)
  return {
    data: Buffer.concat([first, ...more]),
    cutText: Buffer.concat([first, ...more.map((data) => data.subarray(1))]),
    end,
  }
}

function dataAt(book: Buffer, at: number): Buffer {
  return book.subarray(at + HEADER_BYTES, at + HEADER_BYTES + book.readUInt16LE(at + 2))
}
