/** Writes LZMA data without matches, with any header. */

interface LzmaOptions {
  lc?: number
  lp?: number
  pb?: number
  dictionary?: number
  /** Unknown by default. */
  size?: bigint
  hasEndMarker?: boolean
}

const UNKNOWN = 0xffff_ffff_ffff_ffffn
const RANGE_MIN = 0x1_00_00_00

/** The range encoder. Carries are resolved in a number as long as the data. */
function createEncoder() {
  const probabilities = new Map<string, number>()
  let low = 0n
  let range = 0xffff_ffff
  let shifts = 0

  function add(offset: number, next: number): void {
    low += BigInt(offset)
    range = next
    while (range < RANGE_MIN) {
      range = (range * 256) >>> 0
      low <<= 8n
      shifts += 1
    }
  }

  return {
    bit(name: string, value: number): void {
      const probability = probabilities.get(name) ?? 1024
      const bound = (range >>> 11) * probability
      probabilities.set(
        name,
        value === 0 ? probability + ((2048 - probability) >> 5) : probability - (probability >> 5),
      )
      if (value === 0) add(0, bound)
      else add(bound, range - bound)
    },
    /** Without a probability. */
    directOne(): void {
      const half = range >>> 1
      add(half, half)
    },
    end: (): Buffer => Buffer.from(low.toString(16).padStart(2 * (shifts + 5), '0'), 'hex'),
  }
}

export function writeLzma(data: Uint8Array, options: LzmaOptions = {}): Buffer {
  const { lc = 3, lp = 0, pb = 2, dictionary = 1 << 23, size = UNKNOWN, hasEndMarker = size === UNKNOWN } = options
  const header = Buffer.alloc(13)
  header[0] = (pb * 5 + lp) * 9 + lc
  header.writeUInt32LE(dictionary, 1)
  header.writeBigUInt64LE(size, 5)

  const encoder = createEncoder()
  const tree = (name: string, width: number, value: number): void => {
    for (let i = width - 1, node = 1; i >= 0; i--) {
      const one = (value >> i) & 1
      encoder.bit(`${name} ${node}`, one)
      node = (node << 1) | one
    }
  }
  data.forEach((byte, at) => {
    encoder.bit(`match ${at % (1 << pb)}`, 0)
    tree(`literal ${at % (1 << lp)} ${(data[at - 1] ?? 0) >> (8 - lc)}`, 8, byte)
  })
  if (hasEndMarker) {
    encoder.bit(`match ${data.length % (1 << pb)}`, 1)
    encoder.bit('repeated', 0)
    encoder.bit('length', 0)
    tree('lengths', 3, 0)
    tree('slots', 6, 63)
    for (let i = 0; i < 26; i++) encoder.directOne()
    tree('align', 4, 15)
  }
  return Buffer.concat([header, encoder.end()])
}
