/** Collects the contents of fields separately, because fields nest. */

import { mayBecomeDde } from '#inspect/codecs/field-names.ts'
import { keep } from '#inspect/core/work.ts'
import { createByteBuffer } from './byte-buffer.ts'

interface Fields {
  open(name: string, depth: number): void
  put(byte: number): void
  /** Closes every field deeper than this group. */
  close(depth: number): void
  count(): number
  /** A field began twice in the same group. Readers may continue it or start over. */
  isRecursive(): boolean
  /** The destination that is being captured, or null. */
  current(): string | null
  /** The name of a field is the result of another. */
  hasUnknownName(): boolean
  /** All fields as text, for the rules. */
  finish(): Uint8Array
  /** The same, one by one. */
  captured(): readonly Captured[]
}

/** The content of a destination that decides what the document loads. */
export interface Captured {
  destination: string
  text: string
}

interface Field {
  name: string
  depth: number
  from: number
}

const INSTRUCTION = 'fldinst'
/** White space of any kind, but nothing that a field name starts with. */
const LEADING_SPACE = /^[^\x21-\x7f]+/
/** Longer texts have a name. */
const NAME_BYTES = 256
/** Memory for each captured text, besides its characters. */
const CAPTURED_BYTES = 150

export function createFields(): Fields {
  const open: Field[] = []
  const done: Captured[] = []
  const buffer = createByteBuffer()
  let count = 0
  let recursive = false
  let unknownName = false

  function finish({ name, from }: Field): void {
    const text = buffer.bytes().toString('latin1', from).replace(LEADING_SPACE, '')
    keep(CAPTURED_BYTES + text.length)
    done.push({ destination: name, text })
    buffer.truncate(from)
  }

  const fields: Fields = {
    open(name, depth) {
      count += 1
      const outer = open.at(-1)
      recursive ||= outer?.depth === depth
      if (name === INSTRUCTION && outer?.name === INSTRUCTION) {
        const start = buffer.bytes().toString('latin1', outer.from, outer.from + NAME_BYTES)
        unknownName ||= mayBecomeDde(start)
        // The field inside provides the program.
        if (/^\s*dde(?:auto)?\s*$/i.test(start)) {
          keep(CAPTURED_BYTES)
          done.push({ destination: INSTRUCTION, text: start.trim() })
        }
      }
      open.push({ name, depth, from: buffer.length() })
    },
    put: buffer.push,
    close(depth) {
      for (let last = open.at(-1); last !== undefined && last.depth > depth; last = open.at(-1)) {
        finish(last)
        open.pop()
      }
    },
    count: () => count,
    isRecursive: () => recursive,
    current: () => open.at(-1)?.name ?? null,
    hasUnknownName: () => unknownName,
    finish() {
      fields.close(-1)
      return Buffer.from(done.map(({ destination, text }) => `\n\\${destination} ${text}`).join(''), 'latin1')
    },
    captured: () => done,
  }
  return fields
}
