/** Reads the directory of a cabinet. */

import { startsWith, view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import { HEADER_BYTES, isCabinet } from '#inspect/detect/cabinet.ts'

/** A sequence of files that are compressed together. */
export interface Folder {
  method: number
  blocks: number
  /** From its first block to the end of the input. */
  data: Buffer
  /** Reserved bytes in each block header. */
  reserved: number
}

export interface CabinetFile {
  name: Uint8Array
  folder: Folder
  start: number
  length: number
}

export interface Cabinet {
  folders: Folder[]
  files: CabinetFile[]
  /** Parts of the archive are in other files. */
  split: boolean
  /** Description of a fault; then there may be no files. */
  fault: string | null
}

/** Work for each folder and file. */
const ENTRY_WORK = 500
const FOLDER_BYTES = 8
const FILE_BYTES = 16
const HAS_PREVIOUS = 1
const HAS_NEXT = 2
const HAS_RESERVED = 4
/** Bytes of a name. A longer one means damage. */
export const NAME_BYTES_MAX = 256
/** Folder indexes from here on mean a file that continues from or in another cabinet. */
const CONTINUED_FROM = 0xfffd

/** null: not a cabinet, despite the signature. */
export function readCabinet(source: Uint8Array): Cabinet | null {
  const bytes = view(source)
  if (!isCabinet(bytes)) return null
  const filesAt = bytes.readUInt32LE(16)
  const folderCount = bytes.readUInt16LE(26)
  const fileCount = bytes.readUInt16LE(28)
  const flags = bytes.readUInt16LE(30)
  const split = (flags & (HAS_PREVIOUS | HAS_NEXT)) !== 0
  const unreadable: Cabinet = { folders: [], files: [], split, fault: 'The cabinet directory is unreadable.' }
  if (folderCount === 0 || fileCount === 0) return unreadable
  const listed = readFolders(bytes, flags, folderCount)
  const files = listed === null ? null : readFiles(bytes, filesAt, fileCount, listed.folders)
  if (listed === null || files === null) return unreadable
  return {
    folders: listed.folders,
    files: files.files,
    split: split || files.continued,
    // Some readers use the offset in the header, others continue after the folders.
    fault: listed.end === filesAt ? null : 'The cabinet has its file list at an unexpected offset.',
  }
}

function readFolders(bytes: Buffer, flags: number, count: number): { folders: Folder[]; end: number } | null {
  let at = HEADER_BYTES
  let inFolder = 0
  let inBlock = 0
  if (flags & HAS_RESERVED) {
    if (at + 4 > bytes.length) return null
    inFolder = bytes[at + 2] ?? 0
    inBlock = bytes[at + 3] ?? 0
    at += 4 + bytes.readUInt16LE(at)
  }
  const names = 2 * Number((flags & HAS_PREVIOUS) !== 0) + 2 * Number((flags & HAS_NEXT) !== 0)
  for (let i = 0; i < names; i++) {
    const end = nameEnd(bytes, at)
    if (end === null) return null
    at = end + 1
  }
  const folders: Folder[] = []
  for (let i = 0; i < count; i++, at += FOLDER_BYTES + inFolder) {
    if (at + FOLDER_BYTES > bytes.length) return null
    charge(ENTRY_WORK)
    const data = bytes.subarray(bytes.readUInt32LE(at))
    folders.push({ method: bytes.readUInt16LE(at + 6), blocks: bytes.readUInt16LE(at + 4), data, reserved: inBlock })
  }
  return { folders, end: at }
}

interface Listed {
  files: CabinetFile[]
  /** A file continues from or in another cabinet, even if the header declares none. */
  continued: boolean
}

function readFiles(bytes: Buffer, from: number, count: number, folders: readonly Folder[]): Listed | null {
  const files: CabinetFile[] = []
  let continued = false
  let at = from
  for (let i = 0; i < count; i++) {
    const end = at + FILE_BYTES > bytes.length ? null : nameEnd(bytes, at + FILE_BYTES)
    if (end === null) return null
    charge(ENTRY_WORK)
    const index = bytes.readUInt16LE(at + 8)
    const folder = folders[index]
    if (folder === undefined && index < CONTINUED_FROM) return null
    const [length, start] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
    if (folder === undefined) continued = true
    else files.push({ name: bytes.subarray(at + FILE_BYTES, end), folder, start, length })
    at = end + 1
  }
  return { files, continued }
}

/** Offset of the zero after a name, or null if the name is too long. */
function nameEnd(bytes: Buffer, at: number): number | null {
  const end = bytes.subarray(at, at + NAME_BYTES_MAX + 1).indexOf(0)
  return end === -1 ? null : at + end
}

/** Whether a block has the MSZIP signature. */
export function isMszip(block: Uint8Array): boolean {
  return startsWith(block, MSZIP_SIGNATURE)
}

const MSZIP_SIGNATURE = Buffer.from('CK')
