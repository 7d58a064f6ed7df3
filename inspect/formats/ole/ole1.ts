/** Reads OLE 1 objects ([MS-OLEDS] 2.2) and the packages in them. */

export interface Ole1Object {
  kind: 'linked' | 'embedded'
  className: string
  /** Of a linked object: the file or address that it is in. */
  topic: string
  native: Buffer
}

const LINKED = 1
const EMBEDDED = 2
/** Class, topic and item. */
const NAMES = 3
/** Long enough for every class name and address that is compared. */
const NAME_BYTES_MAX = 2_048

/** null: no object. Ignores the version, as Word does. */
export function readObject(bytes: Buffer): Ole1Object | null {
  const format = bytes.length < 8 ? 0 : bytes.readUInt32LE(4)
  if (format !== LINKED && format !== EMBEDDED) return null
  const names: string[] = []
  let at = 8
  for (let i = 0; i < NAMES && at + 4 <= bytes.length; i++) {
    const end = at + 4 + bytes.readUInt32LE(at)
    names.push(untilZero(bytes.toString('latin1', at + 4, Math.min(end, bytes.length, at + 4 + NAME_BYTES_MAX))))
    at = end
  }
  const [className, topic = ''] = names
  if (className === undefined) return null
  const hasNative = format === EMBEDDED && at + 4 <= bytes.length
  const native = hasNative ? bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)) : Buffer.alloc(0)
  return { kind: format === LINKED ? 'linked' : 'embedded', className, topic, native }
}

function untilZero(text: string): string {
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}

export interface PackagedFile {
  label: Buffer
  path: Buffer
  /** Of the copy that Windows makes; for a package without a file, the command that it starts. */
  command: Buffer
  isCommand: boolean
  /** Shorter than `size` if truncated. */
  data: Buffer
  size: number
}

const KIND_BYTES = 2
const ICON_BYTES = 2
const COMMAND = 1
/** After the kind and two more bytes. */
const COMMAND_AT = 4
const LINK_AT = 6
const EMBEDDED_FILE = 3

/** null: not a package. */
export function readPackage(native: Buffer): PackagedFile | null {
  const labelEnd = native.indexOf(0, KIND_BYTES)
  const pathEnd = labelEnd === -1 ? -1 : native.indexOf(0, labelEnd + 1)
  const kindAt = pathEnd + 1 + ICON_BYTES
  if (pathEnd === -1 || kindAt + 6 > native.length) return null
  const kind = native.readUInt16LE(kindAt)
  const label = native.subarray(KIND_BYTES, labelEnd)
  const path = native.subarray(labelEnd + 1, pathEnd)
  if (kind === COMMAND) {
    // With a length for a linked file. Other native data may begin in the same way by chance.
    const plain = withoutZero(native.subarray(kindAt + COMMAND_AT))
    const command = plain.length > 0 ? plain : withoutZero(native.subarray(kindAt + LINK_AT))
    return isText(label) && isText(command)
      ? { label, path, command, isCommand: true, data: Buffer.alloc(0), size: 0 }
      : null
  }
  const commandEnd = kindAt + 6 + native.readUInt32LE(kindAt + 2)
  if (kind !== EMBEDDED_FILE || commandEnd + 4 > native.length) return null
  const command = withoutZero(native.subarray(kindAt + 6, commandEnd))
  const size = native.readUInt32LE(commandEnd)
  return { label, path, command, isCommand: false, data: native.subarray(commandEnd + 4, commandEnd + 4 + size), size }
}

function withoutZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

const NAME_MAX = 4_096

function isText(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.length <= NAME_MAX && bytes.every((byte) => byte >= 0x20)
}
