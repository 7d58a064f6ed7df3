/** Reads the modules of VBA projects in a compound file ([MS-OVBA]). */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { decompress, isContainer } from '#inspect/codecs/vba-compression.ts'
import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'

export interface VbaModule {
  name: string
  source: Buffer
  /** The part of the stream before the source: compiled code of one version of Office. */
  compiled: Buffer
  /** The source ends at an invalid chunk. */
  broken: boolean
  /** Not in the directory of the project, but found in the storage. */
  unlisted: boolean
}

export interface VbaProject {
  modules: VbaModule[]
  codePage: number
  /** Streams with texts that macros read: of user forms, and of a document of Office 97. */
  stored: () => Buffer[]
  /** Size of the cache of compiled code that every version of Office writes. */
  cacheBytes: number
  /** The cache, which has the names that compiled code refers to. */
  cache: () => Buffer
  /** The source of some modules was not read. */
  isTooLarge: boolean
  /** Parts of the directory or of a module that it lists are missing. */
  isDamaged: boolean
}

const DIRECTORY = 'dir'
const CACHE = '_vba_project'
/** Streams beside the modules that never contain source. */
const OTHERS = /^(?:dir|_vba_project|__srp_.*)$/i
const STORED =
  /^(?:f|o|.?vbframe|worddocument|[01]table|workbook|book|powerpoint document|.?(?:document)?summaryinformation)$/i
/** Work for each byte that is searched. */
const SEARCH_WORK = 2
const MODULE_BYTES = 500
/** Source texts of all modules together. */
const SOURCE_BYTES_MAX = 32_000_000

/** null: the compound file has no VBA project. */
export function readProject(compound: Compound, sourceBytesMax = SOURCE_BYTES_MAX): VbaProject | null {
  const streams = compound.entries.filter(({ storage, root, size }) => !storage && !root && size > 0)
  const named = (name: string): OleEntry[] => streams.filter((entry) => entry.name.toLowerCase() === name)
  const caches = named(CACHE)
  const directories = named(DIRECTORY)
  const unpacked = directories.flatMap((entry) => readDirectory(view(compound.read(entry).bytes)) ?? [])
  if (caches.length === 0 && unpacked.length === 0) return null
  const storages = new Set([...caches, ...directories].map(({ parent }) => parent))
  const listed = new Map(unpacked.flatMap(({ modules }) => modules).map((each) => [each.stream.toLowerCase(), each]))
  const modules: VbaModule[] = []
  let remaining = sourceBytesMax
  let isTooLarge = unpacked.some(({ isCut }) => isCut)
  let isDamaged = directories.some((entry) => compound.read(entry).broken)
  const missing = new Set(listed.keys())
  for (const entry of streams) {
    const known = listed.get(entry.name.toLowerCase())
    if (known === undefined && (!storages.has(entry.parent) || OTHERS.test(entry.name))) continue
    const stream = compound.read(entry)
    missing.delete(entry.name.toLowerCase())
    isDamaged ||= stream.broken && known !== undefined
    const found = readModule(view(stream.bytes), known, remaining)
    if (found === null) continue
    keep(MODULE_BYTES)
    remaining -= found.source.length
    isTooLarge ||= found.isCut
    const { source, compiled, broken } = found
    modules.push({ name: entry.name, source, compiled, broken, unlisted: known === undefined })
  }
  return {
    modules,
    codePage: unpacked[0]?.codePage ?? 1252,
    stored: () => streams.filter(({ name }) => STORED.test(name)).map((entry) => view(compound.read(entry).bytes)),
    cacheBytes: Math.max(0, ...caches.map(({ size }) => size)),
    cache: () => Buffer.concat(caches.map((entry) => view(compound.read(entry).bytes))),
    isTooLarge,
    isDamaged: isDamaged || missing.size > 0,
  }
}

interface Directory {
  codePage: number
  /** Modules may be missing. */
  isCut: boolean
  modules: { stream: string; offset: number }[]
}

const PROJECT_VERSION = 0x09
const CODE_PAGE = 0x03
const STREAM_NAME = 0x1a
const STREAM_NAME_UNICODE = 0x32
const MODULE_OFFSET = 0x31
/** Bytes of an unpacked directory. */
export const DIRECTORY_BYTES_MAX = 4_000_000

/** Records of an id, a size and data. null: it cannot be unpacked. */
function readDirectory(packed: Buffer): Directory | null {
  const unpacked = decompress(packed, 0, DIRECTORY_BYTES_MAX)
  if (unpacked === null) return null
  const { bytes, isCut = false } = unpacked
  const directory: Directory = { codePage: 1252, isCut, modules: [] }
  let stream = ''
  for (let at = 0; at + 6 <= bytes.length; ) {
    charge(SEARCH_WORK * 20)
    const id = bytes.readUInt16LE(at)
    // The size of this record does not count its last field.
    const size = id === PROJECT_VERSION ? 6 : bytes.readUInt32LE(at + 2)
    const data = bytes.subarray(at + 6, at + 6 + size)
    if (id === CODE_PAGE && data.length === 2) directory.codePage = data.readUInt16LE(0)
    if (id === STREAM_NAME) stream = data.toString('latin1')
    if (id === STREAM_NAME_UNICODE) stream = data.toString('utf16le')
    if (id === MODULE_OFFSET && data.length === 4) {
      keep(MODULE_BYTES)
      directory.modules.push({ stream, offset: data.readUInt32LE(0) })
    }
    at += 6 + size
  }
  return directory
}

type ModuleText = Pick<VbaModule, 'source' | 'compiled' | 'broken'> & { isCut: boolean }

/** The source at the offset of the directory, or else the first container that holds source. */
function readModule(bytes: Buffer, known: { offset: number } | undefined, bytesMax: number): ModuleText | null {
  const listed = known === undefined ? null : sourceAt(bytes, known.offset, bytesMax)
  if (listed !== null && (!listed.broken || listed.isCut)) return listed
  const at = searchSource(bytes)
  if (at !== -1 && at !== known?.offset) return sourceAt(bytes, at, bytesMax)
  if (listed !== null || known === undefined) return listed
  return { source: Buffer.alloc(0), compiled: bytes.subarray(0, known.offset), broken: true, isCut: false }
}

function sourceAt(bytes: Buffer, at: number, bytesMax: number): ModuleText | null {
  const unpacked = decompress(bytes, at, bytesMax)
  if (unpacked === null) return null
  const { bytes: source, broken, isCut = false } = unpacked
  return { source, compiled: bytes.subarray(0, at), broken, isCut }
}

/** The beginning of every source that Office writes, as the first eight literals of a compressed chunk. */
const ATTRIBUTE = Buffer.from('\0Attribut', 'latin1')
/** Container signature and chunk header. */
const HEADER_BYTES = 3
/** Bytes of a candidate that are unpacked, and the work for each. */
const SAMPLE_BYTES = 4096
const SAMPLE_WORK = 50_000
const LOOKS_LIKE_SOURCE = /\b(?:attribute\s+vb_|sub\s|function\s|option\s+explicit|dim\s)/i

/** -1: none. */
function searchSource(bytes: Buffer): number {
  charge(bytes.length * SEARCH_WORK)
  for (let at = bytes.indexOf(ATTRIBUTE); at !== -1; at = bytes.indexOf(ATTRIBUTE, at + 1))
    if (isContainer(bytes, at - HEADER_BYTES)) return at - HEADER_BYTES
  for (let at = bytes.indexOf(1); at !== -1; at = bytes.indexOf(1, at + 1)) {
    if (!isContainer(bytes, at)) continue
    charge(SAMPLE_WORK)
    const sample = decompress(bytes.subarray(at, at + SAMPLE_BYTES), 0, SAMPLE_BYTES)?.bytes
    if (sample !== undefined && LOOKS_LIKE_SOURCE.test(sample.toString('latin1'))) return at
  }
  return -1
}
