/** Writes tar archives of one small file for tests. */

export function writeTar(name: string, content: string | Uint8Array, { signature = 'ustar\x0000' } = {}): Buffer {
  const data = Buffer.from(content as string)
  const header = Buffer.alloc(512)
  header.write(name, 'latin1')
  header.write(data.length.toString(8).padStart(11, '0'), 124)
  header.write(signature, 257)
  setChecksum(header)
  const padding = Buffer.alloc(-data.length & 511)
  return Buffer.concat([header, data, padding, Buffer.alloc(1024)])
}

/** Of the first block. */
export function setChecksum(bytes: Buffer): void {
  bytes.write('        ', 148)
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
}
