/** Collects what stands in fields, each by itself: one may lie in another, and its result in the middle of that. */

export interface Fields {
  open(name: string, depth: number): void
  put(byte: number): void
  /** A group has ended, and this is how deep the one around it is. */
  close(depth: number): void
  count(): number
  /** One has begun in the same group twice: readers may go on, or begin anew. */
  isBroken(): boolean
  /** All of them, in the words of the rules. */
  end(): Uint8Array
}

interface Field {
  name: string
  depth: number
  from: number
}

/** White space of any kind, and nothing that a name of a field begins with. */
const BEFORE = /^[^\x21-\x7f]+/
const DDE = /^(DDE(?:AUTO)?)(?![a-z0-9_])/i

export const FIRST_BYTES = 4096

export function grown(bytes: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(bytes.length * 2)
  larger.set(bytes)
  return larger
}

export function createFields(): Fields {
  const open: Field[] = []
  const done: string[] = []
  let bytes = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  let count = 0
  let broken = false

  function finish({ name, from }: Field): void {
    const text = bytes.toString('latin1', from, length)
    done.push(`\\${name} ${text.replace(BEFORE, '').replace(DDE, '$1 ')}`)
    length = from
  }

  const fields: Fields = {
    open(name, depth) {
      count += 1
      broken ||= open.at(-1)?.depth === depth
      open.push({ name, depth, from: length })
    },
    put(byte) {
      if (length === bytes.length) bytes = grown(bytes)
      bytes[length++] = byte
    },
    close(depth) {
      for (let last = open.at(-1); last !== undefined && last.depth > depth; last = open.at(-1)) {
        finish(last)
        open.pop()
      }
    },
    count: () => count,
    isBroken: () => broken,
    end() {
      fields.close(-1)
      return Buffer.from(done.map((field) => `\n${field}`).join(''), 'latin1')
    },
  }
  return fields
}
