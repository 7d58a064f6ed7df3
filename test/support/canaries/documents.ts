/** Writes the documents among the canaries, which contain the threat encoded, so that only a parser of their format finds it. */
import { createHash } from 'node:crypto'
import { constants, deflateSync } from 'node:zlib'
import { pack } from './archives.ts'

const LINE_LENGTH = 76

/** In a compressed stream. */
export function pdfWithStream(content: Buffer): Buffer {
  const packed = deflateSync(content, { strategy: constants.Z_RLE })
  return pdf([dictionary(`/Length ${packed.length} /Filter /FlateDecode`, packed)])
}

/** Needs a user password. Without one the keys can be arbitrary. */
export function encryptedPdf(): Buffer {
  const noise = createHash('sha256').update('nobody knows').digest('hex')
  const handler = `/Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <${noise}> /U <${noise}>`
  return pdf(
    [dictionary('/Length 16', Buffer.from(noise.slice(0, 16))), `<< ${handler} >>`],
    ` /Encrypt 5 0 R /ID [<${noise}> <${noise}>]`,
  )
}

function dictionary(entries: string, stream: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`<< ${entries} >>\nstream\n`), stream, Buffer.from('\nendstream')])
}

/** `more` are the objects from the fourth on; the fourth is the content of the only page. */
function pdf(more: (Buffer | string)[], trailer = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    ...more,
  ]
  const parts = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let size = 9
  for (const [index, object] of objects.entries()) {
    offsets.push(size)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(part)
    size += part.length
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const ending = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R${trailer} >>\n`
  return Buffer.concat([...parts, Buffer.from(`${ending}startxref\n${size}\n%%EOF\n`)])
}

/** As an attachment. */
export function mailWithAttachment(content: Buffer): Buffer {
  const lines = [
    'From: docvet@localhost',
    'To: clamd@localhost',
    'Subject: sent by Docvet',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'A test.',
    '--part',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="content.com"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(content.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []),
    '--part--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

/** As the target of a `data:` link. */
export function htmlWithData(content: Buffer): Buffer {
  const target = `data:application/octet-stream;base64,${content.toString('base64')}`
  return Buffer.from(
    `<html><head><title>sent by Docvet</title></head><body><a href="${target}">link</a></body></html>\n`,
  )
}

/** As a picture in a Word 2003 XML document; clamd reads the base64 only from a line of its own. */
export function wordXml(content: Buffer): Buffer {
  const picture = `<w:pict><w:binData w:name="wordml://1.png">\n${content.toString('base64')}\n</w:binData></w:pict>`
  const lines = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    '<?mso-application progid="Word.Document"?>',
    '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml">',
    `<w:body><w:p><w:r>${picture}</w:r></w:p></w:body></w:wordDocument>`,
    '',
  ]
  return Buffer.from(lines.join('\n'))
}

/** In a mail inside a OneNote file: unencoded, the threat would be found without parsing the file. */
export function notebook(content: Buffer): Buffer {
  const file = mailWithAttachment(content)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(file.length))
  const fileDataStoreObject = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
  return Buffer.concat([
    Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
    Buffer.alloc(1_008),
    fileDataStoreObject,
    length,
    Buffer.alloc(12),
    file,
    Buffer.alloc(1_024),
  ])
}

const SECTOR_BYTES = 512
const MINI_SECTOR_BYTES = 64
const END_OF_CHAIN = 0xfffffffe
const FAT_SECTOR = 0xfffffffd
const FREE = 0xffffffff
const NONE = 0xffffffff

/**
 * As a stream of a compound file, in small sectors with gaps, so that it is contiguous only along the sector chain.
 * Sector 0 is the allocation table, 1 the directory, 2 the table of the small sectors, which begin in 3.
 */
export function compoundFile(content: Buffer): Buffer {
  const count = Math.ceil(content.length / MINI_SECTOR_BYTES)
  const mini = Buffer.alloc(Math.ceil((count * 2 * MINI_SECTOR_BYTES) / SECTOR_BYTES) * SECTOR_BYTES)
  const chain: number[] = []
  for (let i = 0; i < count; i++) {
    content.copy(mini, i * 2 * MINI_SECTOR_BYTES, i * MINI_SECTOR_BYTES, (i + 1) * MINI_SECTOR_BYTES)
    chain.push(i + 1 < count ? i * 2 + 2 : END_OF_CHAIN, FREE)
  }
  const sectors = mini.length / SECTOR_BYTES
  const miniSectors = Array.from({ length: sectors }, (_, i) => (i + 1 < sectors ? i + 4 : END_OF_CHAIN))
  const directory = Buffer.concat([
    directoryEntry('Root Entry', 5, 1, 3, mini.length),
    directoryEntry('WordDocument', 2, NONE, 0, content.length),
    Buffer.alloc(SECTOR_BYTES / 2),
  ])
  return Buffer.concat([
    header(),
    numbers([FAT_SECTOR, END_OF_CHAIN, END_OF_CHAIN, ...miniSectors]),
    directory,
    numbers(chain),
    mini,
  ])
}

/** Version 3, little endian, sectors of 2⁹ bytes, small sectors of 2⁶; the allocation table is in sector 0. */
function header(): Buffer {
  const head = Buffer.alloc(SECTOR_BYTES, 0xff)
  const fields = [
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(16),
    pack('22222', 0x3e, 3, 0xfffe, 9, 6),
    Buffer.alloc(10),
    // One table sector, directory in sector 1, small streams below 4,096 bytes, their table in sector 2.
    pack('444444444', 1, 1, 0, 4096, 2, 1, END_OF_CHAIN, 0, 0),
  ]
  Buffer.concat(fields).copy(head)
  return head
}

function directoryEntry(name: string, type: number, child: number, start: number, size: number): Buffer {
  const padded = Buffer.alloc(64)
  padded.write(name, 'utf16le')
  const nameBytes = (name.length + 1) * 2
  const links = pack('211444', nameBytes, type, 1, NONE, NONE, child)
  return Buffer.concat([padded, links, Buffer.alloc(36), pack('444', start, size, 0)])
}

function numbers(values: readonly number[]): Buffer {
  const sector = Buffer.alloc(SECTOR_BYTES, 0xff)
  for (const [index, value] of values.entries()) sector.writeUInt32LE(value, index * 4)
  return sector
}
