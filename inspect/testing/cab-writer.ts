/** Writes cabinets of one folder for tests. */

import { deflateRawSync } from 'node:zlib'

export interface CabinetPlan {
  method?: 'stored' | 'mszip' | 'lzx'
  flags?: number
  /** Bytes of content in each block. */
  blockBytes?: number
}

export function writeCabinet(files: readonly [name: string, content: Uint8Array][], plan: CabinetPlan = {}): Buffer {
  const { method = 'mszip', flags = 0, blockBytes = 32_768 } = plan
  const content = Buffer.concat(files.map(([, bytes]) => bytes))
  const blocks: Buffer[] = []
  for (let at = 0; at < content.length; at += blockBytes) {
    const plain = content.subarray(at, at + blockBytes)
    // The next block may point into this one.
    const dictionary = content.subarray(Math.max(0, at - blockBytes), at)
    const packed =
      method === 'mszip' ? Buffer.concat([Buffer.from('CK'), deflateRawSync(plain, { dictionary })]) : plain
    const header = Buffer.alloc(8)
    header.writeUInt16LE(packed.length, 4)
    header.writeUInt16LE(plain.length, 6)
    blocks.push(header, packed)
  }
  const names = flags & 1 ? Buffer.from('before.cab\0disk\0') : Buffer.alloc(0)
  const filesAt = 36 + names.length + 8
  let start = 0
  const listed = files.map(([name, bytes]) => {
    const record = Buffer.alloc(16)
    record.writeUInt32LE(bytes.length, 0)
    record.writeUInt32LE(start, 4)
    start += bytes.length
    return Buffer.concat([record, Buffer.from(`${name}\0`)])
  })
  const directory = Buffer.concat(listed)
  const folder = Buffer.alloc(8)
  folder.writeUInt32LE(filesAt + directory.length, 0)
  folder.writeUInt16LE(blocks.length / 2, 4)
  folder.writeUInt16LE({ stored: 0, mszip: 1, lzx: 0x1503 }[method], 6)
  const data = Buffer.concat(blocks)
  const header = Buffer.alloc(36)
  header.write('MSCF')
  header.writeUInt32LE(filesAt + directory.length + data.length, 8)
  header.writeUInt32LE(filesAt, 16)
  header.writeUInt16LE(0x0103, 24)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(files.length, 28)
  header.writeUInt16LE(flags, 30)
  return Buffer.concat([header, names, folder, directory, data])
}
