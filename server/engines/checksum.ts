/** Proves that an engine received the bytes of its document, at a twentieth of the cost of a second hash. */
import { crc32 } from 'node:zlib'

/** All bytes of small documents are checked, because several of them may be sent in one write. */
export const CHECKED_WHOLE_BYTES = 4_096
/** Faults of buffers and frames lose, exchange or mix up whole pieces, so one byte of every 256 is enough to find them. */
export const CHECKED_EVERY_BYTES = 256
/** Odd, so that a single other byte, or two exchanged pieces, give another sum. */
const FACTOR = 0x01_00_01_93

export function createChecksum() {
  let sum = 0
  let wholeLeft = CHECKED_WHOLE_BYTES
  /** The position of the next sample, counted from the next bytes that are added. */
  let next = CHECKED_WHOLE_BYTES
  return {
    /** The next bytes of the document. */
    add(bytes: Uint8Array): void {
      const { length } = bytes
      if (wholeLeft > 0) {
        sum = crc32(bytes.subarray(0, wholeLeft), sum)
        wholeLeft -= Math.min(wholeLeft, length)
      }
      let at = next
      let mixed = sum
      for (; at < length; at += CHECKED_EVERY_BYTES)
        mixed = (Math.imul(mixed, FACTOR) + (bytes[at] as number) + 1) >>> 0
      sum = mixed
      next = at - length
    },
    /** From 0 to 2³² − 1. */
    value: () => sum,
  }
}

export function checksumOf(bytes: Uint8Array): number {
  const checksum = createChecksum()
  checksum.add(bytes)
  return checksum.value()
}
