/** Small documents for tests. */

import { writeZip } from './zip-writer.ts'

/** Split, so that scanners do not report this file. */
export const EICAR = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$${'EICAR-STANDARD'}-${'ANTIVIRUS-TEST'}-FILE!$H+H*`

export function docx(parts: Readonly<Record<string, string | Uint8Array>> = {}): Buffer {
  const all: Record<string, string | Uint8Array> = {
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': '<?xml version="1.0"?><Relationships/>',
    'word/document.xml': '<?xml version="1.0"?><w:document><w:body><w:p>Good morning</w:p></w:body></w:document>',
    ...parts,
  }
  return writeZip(Object.entries(all).map(([name, data]) => ({ name, data })))
}

/** Nests `data` in `depth` archives. */
export function nested(data: string | Uint8Array, depth: number): Buffer {
  let bytes: Buffer = Buffer.from(data)
  for (let i = 0; i < depth; i++) bytes = writeZip([{ name: i === 0 ? 'file.txt' : 'inner.zip', data: bytes }])
  return bytes
}

/** A Windows program that only has headers. */
export function program(): Buffer {
  const bytes = Buffer.alloc(512)
  bytes.write('MZ', 0)
  bytes.writeUInt32LE(0x80, 0x3c)
  bytes.write('PE\0\0', 0x80, 'latin1')
  bytes.writeUInt16LE(0x8664, 0x84)
  bytes.writeUInt16LE(3, 0x86)
  bytes.writeUInt16LE(0x20b, 0x98)
  return bytes
}

export function pdf(objects: readonly string[], trailer = ''): Buffer {
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R ${trailer} >>\nstartxref\n9\n%%EOF\n`, 'latin1')
}
