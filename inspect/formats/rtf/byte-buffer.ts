/** A byte buffer that grows as bytes are appended. */

interface ByteBuffer {
  push(byte: number): void
  length(): number
  truncate(length: number): void
  /** A view, valid until the next push. */
  bytes(): Buffer
}

const FIRST_BYTES = 4096

export function createByteBuffer(): ByteBuffer {
  let out = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  return {
    push(byte) {
      if (length === out.length) {
        const larger = Buffer.allocUnsafe(out.length * 2)
        larger.set(out)
        out = larger
      }
      out[length++] = byte
    },
    length: () => length,
    truncate(to) {
      length = to
    },
    bytes: () => out.subarray(0, length),
  }
}
