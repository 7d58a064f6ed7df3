/** The records of OLE 1 as bytes: an embedded object ([MS-OLEDS] 2.2.5), and the file in a Package. */

interface Ole1 {
  className: string
  native: Buffer
}

interface PackagedFile {
  name: Buffer
  /** What is there of it. */
  data: Buffer
  size: number
}

const EMBEDDED = 2
/** Behind the class stand a topic and an item, both without a use here. */
const NAMES = 3

/** null: this is no embedded object. The version in front is passed over, as Word does. */
export function readOle1(bytes: Buffer): Ole1 | null {
  if (bytes.length < 8 || bytes.readUInt32LE(4) !== EMBEDDED) return null
  let className = ''
  let at = 8
  for (let i = 0; i < NAMES; i++) {
    if (at + 4 > bytes.length) return i === 0 ? null : { className, native: Buffer.alloc(0) }
    const end = at + 4 + bytes.readUInt32LE(at)
    if (i === 0) className = bytes.toString('latin1', at + 4, Math.min(end, bytes.length, at + 4 + CLASS_BYTES_MAX))
    at = end
  }
  if (at + 4 > bytes.length) return { className, native: Buffer.alloc(0) }
  return { className, native: bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)) }
}

/** As much of the name of a class as is compared with others. */
const CLASS_BYTES_MAX = 64

/** What the packager shows: an icon, with a label and the path that it came from. */
const KIND_BYTES = 2
const ICON_BYTES = 2
const EMBEDDED_FILE = 3

/** null: this is no package, or one that only names a command. */
export function readPackage(native: Buffer): PackagedFile | null {
  const labelEnd = native.indexOf(0, KIND_BYTES)
  const pathEnd = labelEnd === -1 ? -1 : native.indexOf(0, labelEnd + 1)
  const kindAt = pathEnd + 1 + ICON_BYTES
  if (pathEnd === -1 || kindAt + 6 > native.length || native.readUInt16LE(kindAt) !== EMBEDDED_FILE) return null
  const sizeAt = kindAt + 6 + native.readUInt32LE(kindAt + 2)
  if (sizeAt + 4 > native.length) return null
  const size = native.readUInt32LE(sizeAt)
  const data = native.subarray(sizeAt + 4, sizeAt + 4 + size)
  return { name: native.subarray(KIND_BYTES, labelEnd), data, size }
}
