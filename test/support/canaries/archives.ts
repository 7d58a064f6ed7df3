/** Writes the archives among the canaries. */
import { constants, crc32, deflateRawSync } from 'node:zlib'

const MEBIBYTE = 1024 * 1024
const FLAG_ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
const TAR_BLOCK_BYTES = 512
/** Repetitions only: other matches, and so the bytes, depend on the machine. */
const DEFLATE = { strategy: constants.Z_RLE }
const FLUSHED = { ...DEFLATE, finishFlush: constants.Z_FULL_FLUSH }

interface Entry {
  name: string
  flags: number
  method: number
  crc: number
  size: number
  /** The bytes in the archive. */
  packed: readonly Buffer[]
  /** Zeros before the entry. */
  gap?: number
}

/** `depth` archives around the content, each compressed, so that a scanner has to unpack all of them. */
export function nestedZip(content: Buffer, depth: number): Buffer {
  let inner = content
  for (let level = depth; level > 0; level--) {
    inner = Buffer.concat(zip([deflated(level === depth ? 'content.com' : `level-${level + 1}.zip`, inner)]).parts)
  }
  return inner
}

/** Marked as encrypted with the traditional cipher. Without a password the cipher text can be arbitrary. */
export function encryptedZip(content: Buffer): Buffer {
  const cipherHeaderBytes = 12
  const noise = Buffer.alloc(cipherHeaderBytes + content.length)
  for (let i = 0; i < noise.length; i++) noise[i] = (i * 167 + 13) % 251
  const entry = { name: 'secret.com', flags: FLAG_ENCRYPTED, method: STORED, crc: crc32(content), size: content.length }
  return Buffer.concat(zip([{ ...entry, packed: [noise] }]).parts)
}

/**
 * An archive with one large member that has the threat at its end. The member is an archive, too, whose second entry
 * follows `mebibytes` of zeros, so the threat is a file of its own: signatures that match only at the beginning of a
 * file would miss it after other bytes.
 */
export function largeMemberZip(threat: Buffer, mebibytes: number): Buffer {
  const member = zip([stored('first.txt', Buffer.from('first\n')), stored('last.com', threat, mebibytes * MEBIBYTE)])
  const [head = Buffer.alloc(0), ...tail] = member.parts
  const end = Buffer.concat(tail)
  // A fully flushed deflate block does not depend on earlier ones, so it can be repeated.
  const zeros = Buffer.alloc(MEBIBYTE)
  const piece = deflateRawSync(zeros, FLUSHED)
  const packed = [
    deflateRawSync(head, FLUSHED),
    ...Array.from({ length: mebibytes }, () => piece),
    deflateRawSync(end, DEFLATE),
  ]
  let crc = crc32(head)
  for (let i = 0; i < mebibytes; i++) crc = crc32(zeros, crc)
  const entry = { name: 'large.zip', flags: 0, method: DEFLATED, crc: crc32(end, crc), size: member.size, packed }
  return Buffer.concat(zip([entry]).parts)
}

/**
 * An archive that announces a member of this size and ends after its first block. clamd compares the announced size with
 * its limits, so the reply reveals them at no cost.
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
    // The checksum field counts as blanks.
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
  const packed = [deflateRawSync(content, DEFLATE)]
  return { name, flags: 0, method: DEFLATED, crc: crc32(content), size: content.length, packed }
}

/** One part per entry and one for the directory; gaps count in `size` and offsets, but are not part of `parts`. */
function zip(entries: readonly Entry[]): { parts: Buffer[]; size: number } {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let size = 0
  for (const entry of entries) {
    size += entry.gap ?? 0
    const name = Buffer.from(entry.name)
    const common = commonFields(entry, name.length)
    directory.push(pack('42', 0x02014b50, 20), common, pack('22244', 0, 0, 0, 0, size), name)
    const part = Buffer.concat([pack('4', 0x04034b50), common, name, ...entry.packed])
    parts.push(part)
    size += part.length
  }
  const listing = Buffer.concat(directory)
  const { length: count } = entries
  const last = Buffer.concat([listing, pack('42222442', 0x06054b50, 0, 0, count, count, listing.length, size, 0)])
  return { parts: [...parts, last], size: size + last.length }
}

/** Fields that the local header and the directory share. */
function commonFields({ flags, method, crc, size, packed }: Entry, nameLength: number): Buffer {
  const packedSize = packed.reduce((sum, each) => sum + each.length, 0)
  return pack('2222244422', 20, flags, method, 0, 0x21, crc, packedSize, size, nameLength, 0)
}

/** Little endian; each digit of `widths` is the number of bytes of one value. */
export function pack(widths: string, ...values: number[]): Buffer {
  const bytes = Buffer.alloc([...widths].reduce((sum, width) => sum + Number(width), 0))
  let offset = 0
  for (const [index, value] of values.entries()) offset = bytes.writeUIntLE(value, offset, Number(widths[index]))
  return bytes
}
