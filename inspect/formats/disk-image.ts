/** Detects disk images, which are not unpacked, even if they begin like another type. */

import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'

interface Signature {
  type: string
  at: number
  bytes: Uint8Array
}

const signature = (type: string, at: number, text: string): Signature => ({ type, at, bytes: ascii(text) })

const ISO = 'application/x-iso9660-image'
const UDF = 'application/x-udf-image'
const DISK = 'application/x-raw-disk-image'
/** Sector of the first volume descriptor, and the number of descriptors that readers check. */
const DESCRIPTORS_FROM = 16
const DESCRIPTORS = 16
const SECTOR_BYTES = 2048

const DESCRIPTOR_SIGNATURES: readonly Signature[] = [
  ...Array.from({ length: DESCRIPTORS }, (_, i) => (DESCRIPTORS_FROM + i) * SECTOR_BYTES + 1).flatMap((at) => [
    signature(ISO, at, 'CD001'),
    ...['BEA01', 'NSR02', 'NSR03'].map((text) => signature(UDF, at, text)),
  ]),
  // Raw CD sectors, with error correction.
  signature(ISO, DESCRIPTORS_FROM * 2352 + 17, 'CD001'),
  signature(ISO, DESCRIPTORS_FROM * 2352 + 25, 'CD001'),
]

const SIGNATURES: readonly Signature[] = [
  signature(DISK, 512, 'EFI PART\0\0\x01\0'),
  signature('application/x-hfs-image', 1024, 'H+\0\x04'),
  signature('application/x-hfs-image', 1024, 'HX\0\x05'),
  signature('application/x-apfs-image', 32, 'NXSB\0\x10\0\0'),
  signature('application/x-erofs-image', 1024, '\xe2\xe1\xf5\xe0'),
  signature('application/x-f2fs-image', 1024, '\x10\x20\xf5\xf2'),
  signature('application/x-btrfs-image', 65_600, '_BHRfS_M'),
]

/** Names in a boot sector, which ends with a signature. */
const BOOT_SIGNATURES: readonly Signature[] = [
  signature(DISK, 3, 'NTFS    '),
  signature(DISK, 3, 'EXFAT   '),
  signature(DISK, 54, 'FAT'),
  signature(DISK, 82, 'FAT32   '),
]
const BOOT_END_AT = 510
const BOOT_END = ascii('\x55\xaa')

/** Offsets from the end. Fixed VHD images have only a footer, in early versions one byte shorter. */
const TRAILERS: readonly Signature[] = [
  signature('application/x-vhd', 512, 'conectix\0\0\0'),
  signature('application/x-vhd', 511, 'conectix\0\0\0'),
  signature('application/x-apple-diskimage', 512, 'koly\0\0\0\x04'),
  // Nero images: the offset of the last chunk follows.
  signature('application/x-nrg', 8, 'NERO\0'),
  signature('application/x-nrg', 12, 'NER5\0\0\0\0'),
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
const HFS = ascii('BD')
const HFS_BYTES = 24
const TABLE_AT = 446
const PARTITION_BYTES = 16

/** Two bytes match by chance, so the surrounding fields must be valid too. */
function isExt(bytes: Buffer): boolean {
  if (bytes.length < EXT_AT + EXT_BYTES || bytes.readUInt16LE(EXT_AT + 56) !== 0xef53) return false
  const [state, errors, revision] = [58, 60, 76].map((at) => bytes.readUInt16LE(EXT_AT + at))
  return (state ?? 9) <= 7 && (errors ?? 9) <= 3 && (revision ?? 9) <= 1
}

function isHfs(bytes: Buffer): boolean {
  if (bytes.length < HFS_AT + HFS_BYTES || !startsWith(bytes, HFS, HFS_AT)) return false
  const block = bytes.readUInt32BE(HFS_AT + 20)
  return bytes.readUInt16BE(HFS_AT + 14) === 3 && block > 0 && block % 512 === 0
}

/** A valid table of four partitions, at least one in use. */
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
  const isHere = ({ at, bytes: wanted }: Signature): boolean => startsWith(bytes, wanted, at)
  const found =
    (bytes.length > DESCRIPTORS_FROM * SECTOR_BYTES ? DESCRIPTOR_SIGNATURES.find(isHere) : undefined) ??
    SIGNATURES.find(isHere) ??
    TRAILERS.find(({ at, bytes: wanted }) => at <= bytes.length && startsWith(bytes, wanted, bytes.length - at)) ??
    (startsWith(bytes, BOOT_END, BOOT_END_AT) ? BOOT_SIGNATURES.find(isHere) : undefined)
  return found?.type ?? (isRawDisk(bytes) ? DISK : null)
}
