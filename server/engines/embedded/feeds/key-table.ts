/** A set of keys in one block of memory: 20 bytes a key, where a `Set` of texts takes 80. */
import { KEY_BYTES } from '#inspect/codecs/indicator-keys.ts'

const WORDS = KEY_BYTES / 4
const CHUNK_KEYS = 65_536
/** Of the slots, so that few are searched. */
const FILLED_MAX = 0.8

export interface KeyTable {
  readonly size: number
  /** Of the key that begins at a position. */
  has(keys: Buffer, at: number): boolean
}

/** A key that consists of zeros marks an empty slot; no hash is one. */
export function createKeyTable() {
  const chunks: Buffer[] = []
  let count = 0
  return {
    /** In text of 16 bytes. */
    add(key: string): void {
      const at = count % CHUNK_KEYS
      if (at === 0) chunks.push(Buffer.allocUnsafeSlow(CHUNK_KEYS * KEY_BYTES))
      chunks.at(-1)?.write(key, at * KEY_BYTES, 'latin1')
      count += 1
    },
    build: (): KeyTable => buildTable(chunks, count),
  }
}

function buildTable(chunks: Buffer[], count: number): KeyTable {
  const capacity = Math.ceil(count / FILLED_MAX) + 1
  const words = new Uint32Array(capacity * WORDS)
  let size = 0

  /** The slot of the key, or the empty one where it would be. */
  function slotOf(keys: Buffer, at: number): number {
    let slot = (keys.readUInt32LE(at) % capacity) * WORDS
    while (words[slot + 1] !== 0 || words[slot] !== 0) {
      if (isAt(slot, keys, at)) return slot
      slot = slot + WORDS === words.length ? 0 : slot + WORDS
    }
    return slot
  }
  const isAt = (slot: number, keys: Buffer, at: number): boolean =>
    words[slot] === keys.readUInt32LE(at) &&
    words[slot + 1] === keys.readUInt32LE(at + 4) &&
    words[slot + 2] === keys.readUInt32LE(at + 8) &&
    words[slot + 3] === keys.readUInt32LE(at + 12)
  const isEmpty = (keys: Buffer, at: number): boolean => keys.readUInt32LE(at) === 0 && keys.readUInt32LE(at + 4) === 0

  for (let index = 0; index < count; index++) {
    const keys = chunks[Math.floor(index / CHUNK_KEYS)] as Buffer
    const at = (index % CHUNK_KEYS) * KEY_BYTES
    if (isEmpty(keys, at)) continue
    const slot = slotOf(keys, at)
    if (!isAt(slot, keys, at)) size += 1
    for (let word = 0; word < WORDS; word++) words[slot + word] = keys.readUInt32LE(at + word * 4)
  }
  return { size, has: (keys, at) => !isEmpty(keys, at) && isAt(slotOf(keys, at), keys, at) }
}
