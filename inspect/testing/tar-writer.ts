/** Writes tar archives of one small file for tests. */

export function writeTar(name: string, data: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(data.length.toString(8).padStart(11, '0'), 124)
  header.write('ustar\x0000', 257)
  header.write('        ', 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, Buffer.from(data.padEnd(512, '\0')), Buffer.alloc(1024)])
}
