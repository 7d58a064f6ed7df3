/** Writes OLE packages for tests, as a compound file stream or an OLE 1 object. */

import { writeOle } from './ole-writer.ts'

interface PackagePlan {
  /** Declared size, if wrong. */
  size?: number
}

/** The native data without its size. */
export function writePackage(name: string, data: Uint8Array, { size = data.length }: PackagePlan = {}): Buffer {
  const path = Buffer.from(`C:\\${name}\0`)
  const head = Buffer.concat([Buffer.from(`\x02\0${name}\0`), path, Buffer.from([0, 0, 3, 0])])
  return Buffer.concat([head, uint32(path.length), path, uint32(size), data])
}

export function nativeStream(native: Uint8Array): Buffer {
  return Buffer.concat([uint32(native.length), native, Buffer.alloc(10)])
}

/** A compound file with the package, as Office embeds it. */
export function packageObject(name: string, data: Uint8Array, plan?: PackagePlan): Buffer {
  return writeOle({ streams: { '\x01Ole10Native': nativeStream(writePackage(name, data, plan)) } })
}

/** An embedded object of OLE 1, as RTF carries it. */
export function ole1Object(className: string, native: Uint8Array): Buffer {
  const name = Buffer.from(`${className}\0`)
  return Buffer.concat([
    uint32(0x501),
    uint32(2),
    uint32(name.length),
    name,
    Buffer.alloc(8),
    uint32(native.length),
    native,
  ])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
