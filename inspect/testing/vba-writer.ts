/** Writes VBA projects for tests. */

import { writeOle } from './ole-writer.ts'
import { docx } from './samples.ts'

interface VbaPlan {
  /** Compiled code before the source of each module. Without it the project is purged. */
  compiled?: Uint8Array
  /** The offset of the source that the directory declares, if wrong. */
  declaredOffset?: number
  /** Names that the directory lists, if others than those of the modules. */
  listed?: readonly string[]
  /** Replaces the stream `dir`. */
  directory?: Uint8Array
  /** Modules that the directory does not list. */
  unlisted?: Readonly<Record<string, string>>
  /** Storage of the project, such as `Macros`. */
  root?: string
  /** Further streams, such as those of forms. */
  streams?: Readonly<Record<string, Uint8Array>>
  storages?: readonly string[]
}

/** Text that Office stores before the source of a module without procedures. */
const COMPILED = Buffer.concat([Buffer.from([1, 0x16, 3]), Buffer.alloc(797)])

/** A compound file with these modules. */
export function writeVba(modules: Readonly<Record<string, string>>, plan: VbaPlan = {}): Buffer {
  const { compiled = COMPILED, declaredOffset = compiled.length, unlisted = {}, root = '' } = plan
  const folder = root === '' ? 'VBA' : `${root}/VBA`
  const directory = plan.directory ?? pack(directoryOf(plan.listed ?? Object.keys(modules), declaredOffset))
  const isPurged = compiled.length === 0
  const streams: Record<string, Uint8Array> = {
    [`${folder}/dir`]: directory,
    [`${folder}/_VBA_PROJECT`]: isPurged ? Buffer.from('cc61ffff000000', 'hex') : Buffer.alloc(2_000, 0xcc),
    ...plan.streams,
  }
  for (const [name, source] of Object.entries({ ...modules, ...unlisted }))
    streams[`${folder}/${name}`] = Buffer.concat([compiled, pack(Buffer.from(source, 'latin1'))])
  const storages = [...(root === '' ? [] : [root]), folder, ...(plan.storages ?? [])]
  return writeOle({ streams, storages })
}

/** A document with one module of this source. */
export function macroDocument(source: string, plan?: VbaPlan): Buffer {
  return docx({
    '[Content_Types].xml':
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>',
    'word/vbaProject.bin': writeVba({ Module1: `Attribute VB_Name = "Module1"\r\n${source}` }, plan),
  })
}

/** Literals only: nine bytes for eight, and less than a chunk may hold. */
const CHUNK_BYTES = 3_600

/** A compressed container ([MS-OVBA] 2.4.1). */
export function pack(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Buffer.from([1])]
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES)
    const data: Uint8Array[] = []
    for (let i = 0; i < chunk.length; i += 8) data.push(Buffer.from([0]), chunk.subarray(i, i + 8))
    const body = Buffer.concat(data)
    const header = Buffer.alloc(2)
    header.writeUInt16LE(0xb000 | (body.length - 1))
    parts.push(header, body)
  }
  return Buffer.concat(parts)
}

function directoryOf(names: readonly string[], offset: number): Buffer {
  const version = Buffer.concat([record(0x09, Buffer.alloc(4)), Buffer.alloc(2)])
  const modules = names.flatMap((name) => [
    record(0x19, Buffer.from(name)),
    record(0x1a, Buffer.from(name)),
    record(0x32, Buffer.from(name, 'utf16le')),
    record(0x31, uint32(offset)),
    record(0x2b, Buffer.alloc(0)),
  ])
  return Buffer.concat([record(0x01, uint32(3)), record(0x03, Buffer.from([0xe4, 4])), version, ...modules])
}

function record(id: number, data: Uint8Array): Buffer {
  const header = Buffer.alloc(6)
  header.writeUInt16LE(id, 0)
  header.writeUInt32LE(data.length, 2)
  return Buffer.concat([header, data])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A text as compiled code refers to it. The number of the instruction depends on the version of Office. */
export function compiledLiteral(text: string, opcode = 0xb9): Buffer {
  const header = Buffer.from([opcode, 0, text.length & 255, text.length >> 8])
  return Buffer.concat([header, Buffer.from(text, 'latin1')])
}

/** The end of compiled code: a table of lines, and two bytes of code for each. */
export function compiledLines(count: number): Buffer {
  const header = Buffer.from([0xfe, 0xca, 1, 0, count & 255, count >> 8])
  const entries = Array.from({ length: count }, (_, i) =>
    Buffer.concat([Buffer.alloc(4), Buffer.from([2, 0, 0, 0]), uint32(2 * i)]),
  )
  return Buffer.concat([Buffer.alloc(800), header, ...entries, Buffer.alloc(10), Buffer.alloc(2 * count, 0x10)])
}

/** A name in the cache: its length, its type, its characters and two further numbers. */
export function cachedName(name: string): Buffer {
  return Buffer.concat([Buffer.from([name.length, 0]), Buffer.from(name, 'latin1'), Buffer.alloc(4)])
}
