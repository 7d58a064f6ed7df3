/** Reads compound files (OLE2), tolerating faults where possible. */

import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'

export interface OleEntry {
  name: string
  storage: boolean
  root: boolean
  /** As stored: 32 hexadecimal digits. */
  clsid: string
  /** The storage that contains it. The root for an entry that no storage lists; null for the root itself. */
  parent: OleEntry | null
  start: number
  size: number
}

interface OleStream {
  bytes: Uint8Array
  /** The sector chain ended early or is circular. */
  broken: boolean
}

export interface Compound {
  entries: OleEntry[]
  read(entry: OleEntry): OleStream
}

const END_OF_CHAIN = 0xfffffffe
const REGULAR_MAX = 0xfffffffa
const DIRECTORY_ENTRY_BYTES = 128
/** Work and memory for each directory entry. */
const ENTRY_WORK = 500
const ENTRY_KEPT_BYTES = 300

interface Header {
  sectorBytes: number
  miniSectorBytes: number
  miniCutoff: number
  directoryAt: number
  miniFatAt: number
}

/** null: the structure is unreadable. */
export function readCompound(source: Uint8Array): Compound | null {
  const bytes = view(source)
  const header = readHeader(bytes)
  if (header === null) return null
  const fat = readFat(bytes, header)
  const chain = (start: number, size: number): OleStream =>
    join(bytes, header.sectorBytes, header.sectorBytes, fat, start, size)
  const entries = readEntries(view(chain(header.directoryAt, Number.POSITIVE_INFINITY).bytes), header)
  const root = entries.find((entry) => entry.root)
  if (root === undefined) return null

  let mini: { stream: Buffer; fat: Uint32Array } | null = null
  const readMini = (entry: OleEntry): OleStream => {
    mini ??= {
      stream: view(chain(root.start, root.size).bytes),
      fat: words(chain(header.miniFatAt, Number.POSITIVE_INFINITY).bytes),
    }
    return join(mini.stream, 0, header.miniSectorBytes, mini.fat, entry.start, entry.size)
  }
  return {
    entries,
    read: (entry) => (entry.size < header.miniCutoff && !entry.root ? readMini(entry) : chain(entry.start, entry.size)),
  }
}

function readHeader(bytes: Buffer): Header | null {
  if (bytes.length < 512) return null
  const sectorShift = bytes.readUInt16LE(30)
  const miniShift = bytes.readUInt16LE(32)
  if (sectorShift < 7 || sectorShift > 16 || miniShift < 2 || miniShift > sectorShift) return null
  return {
    sectorBytes: 2 ** sectorShift,
    miniSectorBytes: 2 ** miniShift,
    miniCutoff: bytes.readUInt32LE(56),
    directoryAt: bytes.readUInt32LE(48),
    miniFatAt: bytes.readUInt32LE(60),
  }
}

/** The header lists the first 109 sectors of the table, a chain of sectors lists the others. */
function readFat(bytes: Buffer, { sectorBytes }: Header): Uint32Array {
  const total = Math.ceil(bytes.length / sectorBytes)
  const sectors: number[] = []
  for (let i = 0; i < 109; i++) sectors.push(bytes.readUInt32LE(76 + i * 4))
  let next = bytes.readUInt32LE(68)
  for (let hops = 0; next < REGULAR_MAX && hops < total; hops++) {
    const at = (next + 1) * sectorBytes
    if (at + sectorBytes > bytes.length) break
    const table = words(bytes.subarray(at, at + sectorBytes))
    sectors.push(...table.subarray(0, -1))
    next = table.at(-1) ?? END_OF_CHAIN
  }
  const used = sectors.filter((sector) => sector < total).slice(0, total)
  const fat = new Uint32Array((used.length * sectorBytes) / 4).fill(END_OF_CHAIN)
  used.forEach((sector, i) => {
    const at = (sector + 1) * sectorBytes
    fat.set(words(bytes.subarray(at, at + sectorBytes)), (i * sectorBytes) / 4)
  })
  return fat
}

function words(source: Uint8Array): Uint32Array {
  const bytes = view(source)
  const list = new Uint32Array(bytes.length >> 2)
  for (let i = 0; i < list.length; i++) list[i] = bytes.readUInt32LE(i * 4)
  return list
}

/** Follows a sector chain. Contiguous sectors are returned as a view, others are copied. */
function join(
  bytes: Buffer,
  base: number,
  sectorBytes: number,
  fat: Uint32Array,
  start: number,
  size: number,
): OleStream {
  const runs: { from: number; to: number }[] = []
  const sectorsMax = Math.min(Math.ceil(size / sectorBytes), Math.ceil(bytes.length / sectorBytes))
  let sector = start
  let count = 0
  for (; count < sectorsMax && sector < REGULAR_MAX; count++) {
    const from = base + sector * sectorBytes
    if (from >= bytes.length) break
    const last = runs.at(-1)
    if (last?.to === from) last.to = from + sectorBytes
    else runs.push({ from, to: from + sectorBytes })
    sector = fat[sector] ?? END_OF_CHAIN
  }
  const parts = runs.map(({ from, to }) => bytes.subarray(from, to))
  const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  const result = Number.isFinite(size) ? whole.subarray(0, size) : whole
  return { bytes: result, broken: Number.isFinite(size) && result.length < size }
}

function readEntries(directory: Buffer, header: Header): OleEntry[] {
  const byId = new Map<number, OleEntry>()
  for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= directory.length; at += DIRECTORY_ENTRY_BYTES) {
    const type = directory[at + 66]
    if (type !== 1 && type !== 2 && type !== 5) continue
    charge(ENTRY_WORK)
    keep(ENTRY_KEPT_BYTES)
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
    byId.set(at / DIRECTORY_ENTRY_BYTES, {
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      storage: type === 1,
      root: type === 5,
      clsid: directory.toString('hex', at + 80, at + 96),
      parent: null,
      start: directory.readUInt32LE(at + 116),
      // Files with 512-byte sectors may have garbage in the upper half.
      size:
        directory.readUInt32LE(at + 120) + (header.sectorBytes > 512 ? directory.readUInt32LE(at + 124) * 2 ** 32 : 0),
    })
  }
  assignParents(directory, byId)
  return [...byId.values()]
}

/** The entries of a storage form a binary tree: each has a left and a right neighbour, and the storage has the topmost. */
function assignParents(directory: Buffer, byId: ReadonlyMap<number, OleEntry>): void {
  const link = (id: number, offset: number): number => directory.readUInt32LE(id * DIRECTORY_ENTRY_BYTES + offset)
  const seen = new Set<number>()
  for (const [id, storage] of byId) {
    if (!storage.storage && !storage.root) continue
    const open = [link(id, 76)]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const entry = byId.get(next)
      // Damaged trees may list an entry twice, or a storage in itself.
      if (entry === undefined || entry.root || seen.has(next)) continue
      seen.add(next)
      entry.parent = storage
      open.push(link(next, 68), link(next, 72))
    }
  }
  const root = [...byId.values()].find((entry) => entry.root) ?? null
  for (const entry of byId.values()) if (!entry.root) entry.parent ??= root
}
