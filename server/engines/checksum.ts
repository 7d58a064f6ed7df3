/** Proves that an engine received the bytes of its document, at a twentieth of the cost of a second hash. */

/** Faults of buffers and frames lose, exchange or mix up whole pieces, so one byte of every 256 is enough to find them. */
export const CHECKED_EVERY_BYTES = 256
/** Odd, so that a single other byte, or two exchanged pieces, give another sum. */
const FACTOR = 0x01_00_01_93

export function createChecksum() {
  let sum = 0
  /** The position of the next byte to be read, counted from the next bytes that are added. */
  let next = 0
  return {
    /** The next bytes of the document. */
    add(bytes: Uint8Array): void {
      const { length } = bytes
      let at = next
      let mixed = sum
      for (; at < length; at += CHECKED_EVERY_BYTES) mixed = (Math.imul(mixed, FACTOR) + (bytes[at] as number) + 1) | 0
      sum = mixed
      next = at - length
    },
    /** From 0 to 2³² − 1. */
    value: () => sum >>> 0,
  }
}

export function checksumOf(bytes: Uint8Array): number {
  const checksum = createChecksum()
  checksum.add(bytes)
  return checksum.value()
}
