/** Writes OLE objects for tests: equations, linked objects and their monikers. */

import { writeOle } from './ole-writer.ts'

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** As stored. */
export const EQUATION_CLSID = '02ce020000000000c000000000000046'

/** The data of an equation with these records. */
export function equationData(...records: Uint8Array[]): Buffer {
  return equationOfVersion(3, ...records)
}

export function equationOfVersion(version: number, ...records: Uint8Array[]): Buffer {
  const mtef = Buffer.concat([Buffer.from([version, 1, 1, version, 10]), ...records, Buffer.from([0])])
  const head = Buffer.alloc(28)
  head.writeUInt16LE(28, 0)
  head.writeUInt32LE(0x20000, 2)
  head.writeUInt32LE(mtef.length, 8)
  return Buffer.concat([head, mtef])
}

export function fontRecord(name: string): Buffer {
  return Buffer.concat([Buffer.from([8, 1, 0]), Buffer.from(`${name}\0`, 'latin1')])
}

/** `x`, in a line of its own. */
export const CHARACTER = Buffer.from([1, 2, 0x83, 0x78, 0, 0])

export function equationObject(data: Uint8Array): Buffer {
  return writeOle({ clsid: EQUATION_CLSID, streams: { 'Equation Native': data } })
}

export function urlMoniker(url: string): Buffer {
  const text = Buffer.from(`${url}\0`, 'utf16le')
  return Buffer.concat([Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex'), uint32(text.length), text])
}

export function fileMoniker(path: string): Buffer {
  const text = Buffer.from(`${path}\0`, 'latin1')
  const clsid = Buffer.from('0303000000000000c000000000000046', 'hex')
  return Buffer.concat([clsid, Buffer.alloc(2), uint32(text.length), text, Buffer.alloc(24), uint32(0)])
}

/** A compound file with a linked object. */
export function linkObject(moniker: Uint8Array): Buffer {
  const head = Buffer.concat([uint32(0x02000001), uint32(9), uint32(1), uint32(0), uint32(moniker.length + 4)])
  return writeOle({ clsid: '0003000000000000c000000000000046', streams: { '\x01Ole': Buffer.concat([head, moniker]) } })
}

/** A linked object of OLE 1, as RTF carries it. */
export function ole1Link(className: string, topic: string): Buffer {
  const text = (value: string): Buffer => Buffer.concat([uint32(value.length + 1), Buffer.from(`${value}\0`, 'latin1')])
  return Buffer.concat([uint32(0x501), uint32(1), text(className), text(topic), uint32(0), uint32(0), Buffer.alloc(8)])
}
