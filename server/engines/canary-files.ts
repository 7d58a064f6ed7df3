/** Makes the files that a clamd is proven with; they are built in memory, so that no scanner trips over our sources. */
import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The industry's harmless test threat (eicar.org), in pieces, so that this file is not one. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

const MEBIBYTE = 1024 * 1024
const FLAG_ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
const TAR_BLOCK_BYTES = 512

interface Entry {
  name: string
  flags: number
  method: number
  crc: number
  size: number
  /** As it stands in the archive. */
  packed: readonly Buffer[]
  /** Zeros before the entry that belong to none. */
  gap?: number
}

/** `depth` archives around the content, each compressed, so that nobody finds it without opening them. */
export function nestedZip(content: Buffer, depth: number): Buffer {
  let inner = content
  for (let level = depth; level > 0; level--) {
    inner = Buffer.concat(zip([deflated(level === depth ? 'content.com' : `level-${level + 1}.zip`, inner)]).parts)
  }
  return inner
}

/** Marked as encrypted with the traditional cipher; nobody has the password, so noise will do for the cipher text. */
export function encryptedZip(content: Buffer): Buffer {
  const cipherHeaderBytes = 12
  const noise = Buffer.alloc(cipherHeaderBytes + content.length)
  for (let i = 0; i < noise.length; i++) noise[i] = (i * 167 + 13) % 251
  const entry = { name: 'secret.com', flags: FLAG_ENCRYPTED, method: STORED, crc: crc32(content), size: content.length }
  return Buffer.concat(zip([{ ...entry, packed: [noise] }]).parts)
}

/**
 * An archive with one large member, at whose end stands the threat. The member is an archive itself, whose second entry
 * comes after `mebibytes` of nothing. So the threat is a file of its own there, which every database knows; one that
 * was merely appended to other bytes is missed by signatures that want it at the beginning of a file.
 */
export function largeMemberZip(threat: Buffer, mebibytes: number): Buffer {
  const member = zip([stored('first.txt', Buffer.from('first\n')), stored('last.com', threat, mebibytes * MEBIBYTE)])
  const [head = Buffer.alloc(0), ...tail] = member.parts
  const end = Buffer.concat(tail)
  // A fully flushed piece of deflate depends on nothing before it, so one piece is repeated instead of made anew.
  const zeros = Buffer.alloc(MEBIBYTE)
  const piece = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH })
  const packed = [
    deflateRawSync(head, { finishFlush: constants.Z_FULL_FLUSH }),
    ...Array.from({ length: mebibytes }, () => piece),
    deflateRawSync(end),
  ]
  let crc = crc32(head)
  for (let i = 0; i < mebibytes; i++) crc = crc32(zeros, crc)
  const entry = { name: 'large.zip', flags: 0, method: DEFLATED, crc: crc32(end, crc), size: member.size, packed }
  return Buffer.concat(zip([entry]).parts)
}

/**
 * An archive that announces a member of this size and ends right after its beginning. clamd looks at the announced size,
 * not at what is there, when it compares with its limits: the answer tells them without any work.
 */
export function announcingTar(memberBytes: number): Buffer {
  const block = Buffer.alloc(TAR_BLOCK_BYTES)
  const fields: [offset: number, text: string][] = [
    [0, 'announced.txt'],
    [100, '0000644'],
    [108, '0000000'],
    [116, '0000000'],
    [124, memberBytes.toString(8).padStart(11, '0')],
    [136, '00000000000'],
    // The checksum is counted as if it were blanks.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ]
  for (const [offset, text] of fields) block.write(text, offset, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([block, Buffer.alloc(TAR_BLOCK_BYTES, 'The beginning of a large file.\n')])
}

function stored(name: string, content: Buffer, gap = 0): Entry {
  return { name, flags: 0, method: STORED, crc: crc32(content), size: content.length, packed: [content], gap }
}

function deflated(name: string, content: Buffer): Entry {
  const packed = [deflateRawSync(content)]
  return { name, flags: 0, method: DEFLATED, crc: crc32(content), size: content.length, packed }
}

/** A part for each entry and one for the directory; the gaps are counted in `size` and in offsets, but not in parts. */
function zip(entries: readonly Entry[]): { parts: Buffer[]; size: number } {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let size = 0
  for (const entry of entries) {
    size += entry.gap ?? 0
    const name = Buffer.from(entry.name)
    const common = commonFields(entry, name.length)
    directory.push(bytes([0x02014b50, 4], [20, 2]), common, bytes([0, 2], [0, 2], [0, 2], [0, 4], [size, 4]), name)
    const part = Buffer.concat([bytes([0x04034b50, 4]), common, name, ...entry.packed])
    parts.push(part)
    size += part.length
  }
  const listing = Buffer.concat(directory)
  const count = entries.length
  const ending = [bytes([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2]), bytes([listing.length, 4], [size, 4])]
  const last = Buffer.concat([listing, ...ending, bytes([0, 2])])
  return { parts: [...parts, last], size: size + last.length }
}

/** What the local header and the directory say in the same words. */
function commonFields({ flags, method, crc, size, packed }: Entry, nameLength: number): Buffer {
  const packedSize = packed.reduce((sum, each) => sum + each.length, 0)
  const moment: [number, number][] = [
    [0, 2],
    [0x21, 2],
  ]
  return bytes(
    [20, 2],
    [flags, 2],
    [method, 2],
    ...moment,
    [crc, 4],
    [packedSize, 4],
    [size, 4],
    [nameLength, 2],
    [0, 2],
  )
}

function bytes(...fields: [value: number, width: number][]): Buffer {
  return Buffer.concat(
    fields.map(([value, width]) => {
      const field = Buffer.alloc(width)
      field.writeUIntLE(value, 0, width)
      return field
    }),
  )
}
