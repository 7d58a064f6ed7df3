/** Reads the table of lines of a compiled VBA module. */

import { charge } from '#inspect/core/work.ts'

const MAGIC = Buffer.from([0xfe, 0xca])
/** The magic number, a version and the number of lines; then an entry for each line, and ten bytes before the code. */
const HEADER_BYTES = 6
const ENTRY_BYTES = 12
const GAP_BYTES = 10
const NOWHERE = 0xffff_ffff
const LINE_WORK = 50

/** The code of each line, in the order of the source. null: there is no table. */
export function readLines(compiled: Buffer): Buffer[] | null {
  charge(compiled.length)
  for (let at = compiled.indexOf(MAGIC); at !== -1; at = compiled.indexOf(MAGIC, at + 1)) {
    const lines = linesAt(compiled, at)
    if (lines !== null) return lines
  }
  return null
}

function linesAt(compiled: Buffer, at: number): Buffer[] | null {
  const table = at + HEADER_BYTES
  if (table > compiled.length) return null
  const count = compiled.readUInt16LE(at + 4)
  const code = compiled.subarray(table + count * ENTRY_BYTES + GAP_BYTES)
  if (table + count * ENTRY_BYTES + GAP_BYTES > compiled.length) return null
  const lines: Buffer[] = []
  for (let entry = table; entry < table + count * ENTRY_BYTES; entry += ENTRY_BYTES) {
    charge(LINE_WORK)
    const length = compiled.readUInt16LE(entry + 4)
    const offset = compiled.readUInt32LE(entry + 8)
    if (offset !== NOWHERE && offset + length > code.length) return null
    lines.push(offset === NOWHERE ? Buffer.alloc(0) : code.subarray(offset, offset + length))
  }
  return lines
}
