/** Documents built to evade scanners: deep, large, encrypted, or bombs. */

import { deflateRawSync } from 'node:zlib'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { AES, LZMA2, writeSevenZip } from '#inspect/testing/seven-zip-writer.ts'
import { type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'

export const EICAR_ENTRY: EntryPlan = { name: 'eicar.com', data: EICAR }

/** Compresses to a thirtieth: large, but not a bomb. */
export function ordinary(bytes: number): Buffer {
  const content = Buffer.alloc(bytes, 'The quick brown fox jumps over the lazy dog, and nobody minds.\n')
  let state = 1
  for (let at = 0; at + 8 < bytes; at += 256) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    content.write(state.toString(36).padStart(8, '0'), at, 'latin1')
  }
  return content
}

/** Precompressed, because compressing it is slow. */
function member(name: string, data: Buffer, level = 1): EntryPlan {
  return { name, data, packed: deflateRawSync(data, { level }) }
}

export const zeros = (name: string, bytes = 1_000_000): EntryPlan => member(name, Buffer.alloc(bytes), 9)

export function largeMember(content: Buffer): Buffer {
  return writeZip([member('large.txt', Buffer.concat([content, Buffer.from(EICAR)]))])
}

/** 540 MB in total, with EICAR at the end. */
export function largeInAll(): Buffer {
  const plain = ordinary(60_000_000)
  const sixty = member('a', plain)
  const last = member('last.txt', Buffer.concat([plain, Buffer.from(EICAR)]))
  return writeZip([...Array.from({ length: 8 }, (_, i) => ({ ...sixty, name: `part${i}.txt` })), last])
}

export function manyMembers(): Buffer {
  const entries = Array.from({ length: 10_050 }, (_, i) => ({ name: `${i}.txt`, data: `number ${i}` }))
  return writeZip([...entries, EICAR_ENTRY])
}

export function fullOverlap(): Buffer {
  const kernel = zeros('a')
  return writeZip([kernel, ...Array.from({ length: 500 }, (_, i) => ({ ...kernel, name: `b${i}`, sharesWith: 0 }))])
}

export function quotedOverlap(): Buffer {
  const whole = writeZip([zeros('b')], { withoutEnd: true })
  const inner = whole.subarray(0, whole.indexOf('PK\x01\x02', 'latin1'))
  // A stored deflate block that contains the next entry.
  const quote = Buffer.alloc(5, 1)
  quote.writeUInt16LE(inner.length, 1)
  quote.writeUInt16LE(~inner.length & 0xffff, 3)
  const outer = { name: 'a', data: inner, packed: Buffer.concat([quote, inner]) }
  return writeZip([outer, { ...zeros('b'), sharesWith: 0, central: { at: 31 + 5 } }])
}

/** Five levels of sixteen archives each, around 50 MB of zeros. */
export function fortyTwo(): Buffer {
  let bytes = writeZip([zeros('0.dll', 50_000_000)])
  for (let level = 0; level < 5; level++) {
    const packed = deflateRawSync(bytes)
    const data = bytes
    bytes = writeZip(Array.from({ length: 16 }, (_, i) => ({ name: `lib ${i}.zip`, data, packed })))
  }
  return bytes
}

export const encryptedZip = (): Buffer =>
  writeZip([{ name: 'a.txt', data: Buffer.alloc(200, 0xa5), local: { flags: 1 }, central: { flags: 1 } }])

/** Inside a ZIP, because a 7z alone is not accepted. */
export const encryptedSevenZip = (): Buffer =>
  writeZip([
    { name: 'a.7z', data: writeSevenZip({ packed: Buffer.alloc(160, 0xa5), content: null, coders: [LZMA2, AES] }) },
  ])

/** 128-bit RC4 with unknown passwords. */
export function encryptedPdf(): Buffer {
  const secret = (length: number) => Buffer.alloc(length, 0xa5).toString('hex')
  const encryption = `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${secret(32)}> /U <${secret(32)}> >>`
  const objects = ['<< /Type /Catalog /Pages 3 0 R >>', encryption, '<< /Type /Pages /Kids [] /Count 0 >>']
  return pdf(objects, `/Encrypt 2 0 R /ID [<${secret(16)}> <${secret(16)}>]`)
}

/** An encrypted Office document: a compound file around the package. */
export function encryptedOffice(): Buffer {
  const info = Buffer.alloc(4_200, ' ')
  info.writeUInt32LE(0x0004_0004, 0)
  info.writeUInt32LE(0x40, 4)
  info.write('<?xml version="1.0" encoding="UTF-8" standalone="yes"?><encryption></encryption>', 8)
  return writeOle({ streams: { EncryptionInfo: info, EncryptedPackage: Buffer.alloc(8_192, 0xa5) } })
}

/** EICAR compressed with LZMA2, which Node cannot produce. */
const PACKED_CONTENT = Buffer.from(`${'Good morning\n'.repeat(20)}${EICAR}`)
const PACKED = Buffer.from(
  '4AFHAFZdACOb7MggNpvpsrCGSadOUqrg+krAGID6+pz56/NJWJXS8k481SnYIakQ5p5ZPndehDgHSThuDjyIsnHs7/09JN3xUo655dQoKIhnMEnP2TJrjJjkT59mAA==',
  'base64',
)

export const packedSevenZip = (): Buffer =>
  writeZip([{ name: 'a.7z', data: writeSevenZip({ packed: PACKED, content: PACKED_CONTENT, coders: [LZMA2] }) }])
