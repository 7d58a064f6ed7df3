/** Images of disks, which systems mount like a folder: not unpacked, and told also where they begin as something else. */

import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'

interface Mark {
  type: string
  at: number
  bytes: Uint8Array
}

const mark = (type: string, at: number, text: string): Mark => ({ type, at, bytes: ascii(text) })

const ISO = 'application/x-iso9660-image'
const UDF = 'application/x-udf-image'
const DISK = 'application/x-raw-disk-image'
/** The sector of the first descriptor of a volume, and how many readers look at, some of them. */
const DESCRIPTORS_FROM = 16
const DESCRIPTORS = 16
const SECTOR_BYTES = 2048

const MARKS: readonly Mark[] = [
  ...Array.from({ length: DESCRIPTORS }, (_, i) => (DESCRIPTORS_FROM + i) * SECTOR_BYTES + 1).flatMap((at) => [
    mark(ISO, at, 'CD001'),
    ...['BEA01', 'NSR02', 'NSR03'].map((text) => mark(UDF, at, text)),
  ]),
  // With all bytes of the sectors of a CD, also those that correct the others.
  mark(ISO, DESCRIPTORS_FROM * 2352 + 17, 'CD001'),
  mark(ISO, DESCRIPTORS_FROM * 2352 + 25, 'CD001'),
  mark(DISK, 512, 'EFI PART\0\0\x01\0'),
  mark('application/x-hfs-image', 1024, 'H+\0\x04'),
  mark('application/x-hfs-image', 1024, 'HX\0\x05'),
  mark('application/x-apfs-image', 32, 'NXSB\0\x10\0\0'),
]

/** Names in the first sector, which then ends with two bytes of its own. */
const BOOT_MARKS: readonly Mark[] = [
  mark(DISK, 3, 'NTFS    '),
  mark(DISK, 3, 'EXFAT   '),
  mark(DISK, 54, 'FAT'),
  mark(DISK, 82, 'FAT32   '),
]
const BOOT_END_AT = 510
const BOOT_END = ascii('\x55\xaa')

/** So far from the end. Fixed images of VHD are marked only there, and the first program that wrote them left out a byte. */
const TRAILERS: readonly Mark[] = [
  mark('application/x-vhd', 512, 'conectix\0\0\0'),
  mark('application/x-vhd', 511, 'conectix\0\0\0'),
  mark('application/x-apple-diskimage', 512, 'koly\0\0\0\x04'),
]

export const diskImage: Format = {
  applies: ({ bytes }) => typeOf(bytes) !== null,
  analyse(item, context) {
    context.addObstacle(item, 'too_complex', unsupportedArchive(typeOf(item.bytes)))
  },
}

const EXT_AT = 1024
const EXT_BYTES = 80
const HFS_AT = 1024
const HFS_BYTES = 24
const TABLE_AT = 446
const PARTITION_BYTES = 16

/** Two bytes may be chance, so the numbers around them must fit. */
function isExt(bytes: Buffer): boolean {
  if (bytes.length < EXT_AT + EXT_BYTES || bytes.readUInt16LE(EXT_AT + 56) !== 0xef53) return false
  const [state, errors, revision] = [58, 60, 76].map((at) => bytes.readUInt16LE(EXT_AT + at))
  return (state ?? 9) <= 7 && (errors ?? 9) <= 3 && (revision ?? 9) <= 1
}

function isHfs(bytes: Buffer): boolean {
  if (bytes.length < HFS_AT + HFS_BYTES || bytes.toString('latin1', HFS_AT, HFS_AT + 2) !== 'BD') return false
  const block = bytes.readUInt32BE(HFS_AT + 20)
  return bytes.readUInt16BE(HFS_AT + 14) === 3 && block > 0 && block % 512 === 0
}

/** Four partitions, of which at least one is used. */
function isPartitioned(bytes: Buffer): boolean {
  let used = 0
  for (let at = TABLE_AT; at < BOOT_END_AT; at += PARTITION_BYTES) {
    const isEmpty = bytes.subarray(at, at + PARTITION_BYTES).every((byte) => byte === 0)
    const isUsed = bytes.readUInt32LE(at + 8) > 0 && bytes.readUInt32LE(at + 12) > 0 && bytes[at + 4] !== 0
    if (!isEmpty && !(isUsed && ((bytes[at] ?? 1) & 0x7f) === 0)) return false
    if (isUsed) used += 1
  }
  return used > 0
}

const SECTOR_SIZES = new Set([512, 1024, 2048, 4096])

function isFat(bytes: Buffer): boolean {
  const cluster = bytes[13] ?? 0
  const isJump = (bytes[0] === 0xeb && bytes[2] === 0x90) || bytes[0] === 0xe9
  const isCluster = cluster > 0 && (cluster & (cluster - 1)) === 0
  const tables = bytes[16] ?? 0
  return isJump && isCluster && SECTOR_SIZES.has(bytes.readUInt16LE(11)) && (tables === 1 || tables === 2)
}

function isRawDisk(source: Uint8Array): boolean {
  const bytes = view(source)
  if (isExt(bytes) || isHfs(bytes)) return true
  return startsWith(bytes, BOOT_END, BOOT_END_AT) && (isPartitioned(bytes) || isFat(bytes))
}

function typeOf(bytes: Uint8Array): string | null {
  const found =
    MARKS.find(({ at, bytes: wanted }) => startsWith(bytes, wanted, at)) ??
    TRAILERS.find(({ at, bytes: wanted }) => at <= bytes.length && startsWith(bytes, wanted, bytes.length - at)) ??
    (startsWith(bytes, BOOT_END, BOOT_END_AT)
      ? BOOT_MARKS.find(({ at, bytes: wanted }) => startsWith(bytes, wanted, at))
      : undefined)
  return found?.type ?? (isRawDisk(bytes) ? DISK : null)
}
