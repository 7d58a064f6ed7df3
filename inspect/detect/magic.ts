/** Signatures of binary formats and their role for a document scanner. */

import { ascii, startsWith } from '#inspect/core/bytes.ts'
import { words } from '#inspect/core/words.ts'

/** `archive`: may contain anything. `executable`: runs. `other`: images and the like, which are not unpacked. */
type Role = 'archive' | 'executable' | 'other'

interface Magic {
  type: string
  role: Role
  at: number
  bytes: Uint8Array
}

/** Further checks for signatures so short that they match by chance. */
const CHECKS: Readonly<Record<string, (head: Uint8Array) => boolean>> = {
  'application/x-bzip2': (head) => /^BZh[1-9](?:1AY&SY|.rE8P.)/s.test(latin1(head, 10)),
  'application/x-compress': (head) => (head[2] ?? 0) >= 0x89 && (head[2] ?? 0) <= 0x90,
  'application/x-arj': (head) =>
    (head[3] ?? 99) <= 10 && (head[4] ?? 0) >= 30 && (head[4] ?? 99) <= 50 && head[10] === 2,
  'application/x-lzh-compressed': (head) => /^..-(?:l(?:h[0-9dx]|z[s458])|pm[0-2s])-/s.test(latin1(head, 8)),
  'application/x-cpio': (head) =>
    /^0707(?:07[0-7]{6}|0[12][0-9A-Fa-f]{8})/.test(latin1(head, 16)) || isBinaryCpio(head),
  'application/x-gzip-old': (head) => head[2] === 8 && (head[3] ?? 99) < 32,
  'application/x-sco-lzh': (head) => ((head[2] ?? 0) | (head[3] ?? 0)) > 0 && (head[4] ?? 255) >> 3 <= LZH_CODES_MAX,
  'application/x-pack': isPacked,
  'application/x-apple-archive': (head) =>
    head[0] === 0x41 ? (head[4] ?? 0) > 6 : /^pbz[-4ebxz]\0\0/s.test(latin1(head, 6)),
  'application/x-freearc': (head) => (head[4] ?? 0) < 32,
  'application/x-arc': isArc,
  'application/x-zpaq': (head) => head[0] === 0x37 || ((head[3] ?? 9) <= 2 && (head[4] ?? 9) <= 1),
  'application/vnd.ms-outlook-store': (head) => /^SM|^AB|^SO/.test(latin1(head.subarray(8), 2)),
  'application/x-apple-diskimage': (head) => head[0] !== 0x45 || (head[2] === 2 && head[3] === 0),
  'application/x-archive': (head) => head[66] === 0x60 && head[67] === 0x0a,
  'application/x-lzma86': (head) => isPowerOfTwo((head[4] ?? 0) | ((head[5] ?? 0) << 8)),
  'application/x-stuffit': (head) => /^(?:SIT!.{6}rLau|StuffIt(?: \(c\)|[!?]))/s.test(latin1(head, 14)),
  // Compressed with zlib, or with LZMA and the properties that every program writes.
  'application/vnd.adobe.flash.movie': (head) =>
    head[0] === 0x43 ? (head[8] ?? 0) === 0x78 && (0x7800 | (head[9] ?? 0)) % 31 === 0 : head[12] === 0x5d,
  'audio/mpeg': (head) => head[0] === 0x49 || ((head[2] ?? 0) & 0xf0) !== 0xf0,
}

/** A length in four bytes, the depth of a Huffman tree, and the number of leaves on each of its levels. */
function isPacked(head: Uint8Array): boolean {
  const depth = head[6] ?? 0
  if (depth === 0 || depth > PACK_DEPTH_MAX || (head[2] ?? 255) > 0x3f) return false
  for (let level = 1; level <= depth; level++) if ((head[6 + level] ?? 0) > 2 ** level) return false
  return true
}

const PACK_DEPTH_MAX = 24
const LZH_CODES_MAX = 19

/** The method, a name of up to 12 characters that ends with zero, and a length. Descriptions of terminals have text there. */
function isArc(head: Uint8Array): boolean {
  const method = head[1] ?? 0
  const length = latin1(head.subarray(2 + ARC_NAME_BYTES), ARC_LENGTH_BYTES)
  if (method === 0 || method > ARC_METHOD_MAX || /^[ -~]{4}$/.test(length)) return false
  return /^[!-~]{1,12}\0/.test(latin1(head.subarray(2), ARC_NAME_BYTES))
}

const ARC_METHOD_MAX = 11
const ARC_NAME_BYTES = 13
const ARC_LENGTH_BYTES = 4

/** The name ends with its only zero byte, where the header says. */
function isBinaryCpio(head: Uint8Array): boolean {
  const [low, high] = head[0] === 0xc7 ? [20, 21] : [21, 20]
  const nameBytes = (head[low] ?? 0) | ((head[high] ?? 0) << 8)
  return nameBytes > 1 && head.indexOf(0, CPIO_NAME_AT) === CPIO_NAME_AT + nameBytes - 1
}

const CPIO_NAME_AT = 26

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0
}

function latin1(head: Uint8Array, length: number): string {
  return Buffer.from(head.subarray(0, length)).toString('latin1')
}

function matches({ type, at, bytes }: Magic, head: Uint8Array, whole: Uint8Array): boolean {
  return startsWith(at < head.length ? head : whole, bytes, at) && (CHECKS[type]?.(head) ?? true)
}

function magic(type: string, role: Role, text: string, at = 0): Magic {
  return { type, role, at, bytes: ascii(text) }
}

const MAGICS: readonly Magic[] = [
  magic('application/x-elf', 'executable', '\x7fELF'),
  magic('application/x-mach-binary', 'executable', '\xfe\xed\xfa\xce'),
  magic('application/x-mach-binary', 'executable', '\xfe\xed\xfa\xcf'),
  magic('application/x-mach-binary', 'executable', '\xce\xfa\xed\xfe'),
  magic('application/x-mach-binary', 'executable', '\xcf\xfa\xed\xfe'),
  magic('application/x-ms-shortcut', 'executable', 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F'),
  magic('application/wasm', 'other', '\0asm'),
  magic('application/gzip', 'archive', '\x1f\x8b\x08'),
  magic('application/x-7z-compressed', 'archive', '7z\xbc\xaf\x27\x1c'),
  magic('application/vnd.rar', 'archive', 'Rar!\x1a\x07'),
  magic('application/vnd.ms-cab-compressed', 'archive', 'MSCF\0\0\0\0'),
  magic('application/x-bzip2', 'archive', 'BZh'),
  magic('application/x-xz', 'archive', '\xfd7zXZ\0'),
  magic('application/zstd', 'archive', '\x28\xb5\x2f\xfd'),
  magic('application/x-lzip', 'archive', 'LZIP\x01'),
  magic('application/x-compress', 'archive', '\x1f\x9d'),
  magic('application/x-lz4', 'archive', '\x04\x22\x4d\x18'),
  magic('application/x-arj', 'archive', '\x60\xea'),
  magic('application/x-ace-compressed', 'archive', '**ACE**', 7),
  magic('application/x-lzh-compressed', 'archive', '-lh', 2),
  magic('application/x-lzh-compressed', 'archive', '-lz', 2),
  magic('application/x-ms-compress-kwaj', 'archive', 'KWAJ\x88\xf0\x27\xd1'),
  magic('application/x-ms-compress-szdd', 'archive', 'SZDD\x88\xf0\x27\x33'),
  magic('application/x-cpio', 'archive', '070707'),
  magic('application/x-cpio', 'archive', '070701'),
  magic('application/x-cpio', 'archive', '070702'),
  magic('application/x-cpio', 'archive', '\xc7\x71'),
  magic('application/x-cpio', 'archive', '\x71\xc7'),
  magic('application/x-gzip-old', 'archive', '\x1f\x9e'),
  magic('application/x-sco-lzh', 'archive', '\x1f\xa0'),
  magic('application/x-pack', 'archive', '\x1f\x1e'),
  magic('application/vnd.rar', 'archive', 'RE~^'),
  magic('application/x-freearc', 'archive', 'ArC\x01'),
  magic('application/x-zpaq', 'archive', '7kSt\xa01\x83\xd3\x8c\xb2\x28\xb0\xd3'),
  magic('application/x-zpaq', 'archive', 'zPQ'),
  magic('application/vnd.ms-outlook-store', 'archive', '!BDN'),
  magic('application/vnd.ms-outlook-express', 'archive', '\xcf\xad\x12\xfe'),
  ...['Standard Jet DB', 'Standard ACE DB', 'MSISAM Database'].map((text) =>
    magic('application/vnd.ms-access', 'archive', text, 4),
  ),
  magic('application/x-ms-reader', 'archive', 'ITOLITLS'),
  magic('application/x-apple-archive', 'archive', 'AA01'),
  magic('application/x-apple-archive', 'archive', 'pbz'),
  magic('application/x-yaa', 'archive', 'YAA1'),
  magic('application/x-apple-encrypted-archive', 'archive', 'AEA1'),
  magic('application/x-wim', 'archive', 'WLPWM\0\0\0'),
  magic('application/x-lzh-compressed', 'archive', '-pm', 2),
  magic('application/x-arc', 'archive', '\x1a'),
  ...['\x05', '\x06'].map((version) => magic('application/x-lz5', 'archive', `${version}\x22\x4d\x18`)),
  magic('application/x-bzip3', 'archive', 'BZ3v1'),
  magic('application/x-mozlz4', 'archive', 'mozLz40\0'),
  magic('application/x-mozilla-archive', 'archive', 'MAR1\0\0'),
  magic('application/x-dms', 'archive', 'DMS!'),
  magic('application/x-disk-doubler', 'archive', 'DDAR'),
  magic('application/x-nufile', 'archive', 'NuF\xe9l\xe5'),
  magic('application/x-blakhole', 'archive', 'BH\x05\x07'),
  magic('application/x-squeeze-it', 'archive', 'HLSQZ1'),
  magic('application/x-yz1', 'archive', 'yz01'),
  magic('application/x-hap', 'archive', '\x91\x33HF'),
  magic('application/x-jar-arj', 'archive', '\x1aJar\x1b\0', 14),
  magic('application/x-partimage', 'archive', 'PaRtImAgE-VoLuMe'),
  magic('application/x-nanozip', 'archive', 'NanoZip \0'),
  magic('application/x-apple-diskimage', 'archive', 'ER'),
  ...['encrcdsa', 'cdsaencr', 'sprs\0\0\0'].map((text) => magic('application/x-apple-diskimage', 'archive', text)),
  magic('application/x-mobipocket-ebook', 'archive', 'BOOKMOBI', 60),
  magic('application/x-mobipocket-ebook', 'archive', 'TEXtREAd', 60),
  magic('application/x-installshield', 'archive', 'ISc('),
  magic('application/x-installshield', 'archive', '\x13\x5d\x65\x8c'),
  magic('application/x-lrzip', 'archive', 'LRZI\0'),
  magic('application/x-rzip', 'archive', 'RZIP\x02'),
  magic('application/x-snappy', 'archive', '\xff\x06\0\0sNaPpY'),
  magic('application/x-pack200', 'archive', '\xca\xfe\xd0\x0d'),
  magic('application/x-uharc', 'archive', 'UHA\x06'),
  magic('application/x-sqx', 'archive', '-sqx-', 7),
  magic('application/x-kgb', 'archive', 'KGB_arch -'),
  magic('application/x-ntbackup', 'archive', 'TAPE\0\0'),
  magic('application/x-iso-compressed', 'archive', 'IsZ!'),
  magic('application/x-iso-compressed', 'archive', 'CISO\0\0'),
  magic('application/x-iso-compressed', 'archive', 'DAA\0\0'),
  magic('application/x-forensic-image', 'archive', 'EVF\x09\x0d\x0a\xff\0'),
  magic('application/x-raw-disk-image', 'archive', 'LUKS\xba\xbe\0'),
  magic('application/x-raw-disk-image', 'archive', '-FVE-FS-', 3),
  magic('application/x-raw-disk-image', 'archive', 'XFSB\0\0'),
  magic('application/x-vmdk', 'archive', 'COWD\x01\0\0\0'),
  magic('application/x-parallels-image', 'archive', 'WithoutFreeSpace'),
  magic('application/x-parallels-image', 'archive', 'WithouFreSpacExt'),
  magic('application/x-romfs', 'archive', '-rom1fs-'),
  magic('application/x-qed', 'archive', 'QED\0'),
  magic('application/x-xar', 'archive', 'xar!'),
  magic('application/x-archive', 'archive', '!<arch>\n'),
  magic('application/x-rpm', 'archive', '\xed\xab\xee\xdb'),
  magic('application/x-tar', 'archive', 'ustar', 257),
  magic('application/x-iso9660-image', 'archive', 'CD001', 0x8001),
  magic('application/x-udf-image', 'archive', 'BEA01', 0x8001),
  magic('application/x-vhdx', 'archive', 'vhdxfile'),
  magic('application/x-vhd', 'archive', 'conectix'),
  ...['\x01', '\x02', '\x03'].map((version) => magic('application/x-vmdk', 'archive', `KDMV${version}\0\0\0`)),
  magic('application/x-vdi', 'archive', '\x7f\x10\xda\xbe', 64),
  magic('application/x-qcow', 'archive', 'QFI\xfb'),
  magic('application/x-alz', 'archive', 'ALZ\x01'),
  magic('application/x-egg', 'archive', 'EGGA\0\x01'),
  magic('application/x-zoo', 'archive', '\xdc\xa7\xc4\xfd', 20),
  magic('application/x-wim', 'archive', 'MSWIM\0\0\0'),
  magic('application/vnd.ms-htmlhelp', 'archive', 'ITSF\x03\0\0\0'),
  magic('application/vnd.ms-tnef', 'archive', '\x78\x9f\x3e\x22'),
  ...['hsqs', 'sqsh', 'qshs', 'shsq'].map((text) => magic('application/x-squashfs', 'archive', text)),
  magic('application/x-cramfs', 'archive', '\x45\x3d\xcd\x28'),
  magic('application/x-cramfs', 'archive', '\x28\xcd\x3d\x45'),
  magic('application/x-nsis', 'archive', '\xef\xbe\xad\xdeNullsoftInst', 4),
  ...['\0', '\x01'].map((filter) => magic('application/x-lzma86', 'archive', `${filter}\x5d\0\0`)),
  magic('application/x-ppmd', 'archive', '\x8f\xaf\xac\x84'),
  magic('application/x-ms-compress-sz', 'archive', 'SZ\x20\x88\xf0\x27\x33\xd1'),
  magic('application/x-lz4', 'archive', '\x02\x21\x4c\x18'),
  // Skippable frames before others.
  ...Array.from({ length: 16 }, (_, i) =>
    magic('application/zstd', 'archive', `${String.fromCharCode(0x50 + i)}*M\x18`),
  ),
  magic('application/x-lzop', 'archive', '\x89LZO\0\r\n\x1a\n'),
  magic('application/x-stuffit', 'archive', 'SIT!'),
  magic('application/x-stuffit', 'archive', 'StuffIt'),
  ...['CWS', 'ZWS'].map((text) => magic('application/vnd.adobe.flash.movie', 'archive', text)),
  magic('application/vnd.sqlite3', 'other', 'SQLite format 3\0'),
  magic('image/png', 'other', '\x89PNG\r\n\x1a\n'),
  magic('image/jpeg', 'other', '\xff\xd8\xff'),
  magic('image/gif', 'other', 'GIF87a'),
  magic('image/gif', 'other', 'GIF89a'),
  magic('image/tiff', 'other', 'II*\0'),
  magic('image/tiff', 'other', 'MM\0*'),
  magic('image/webp', 'other', 'WEBP', 8),
  magic('image/x-icon', 'other', '\0\0\x01\0'),
  magic('image/vnd.adobe.photoshop', 'other', '8BPS'),
  magic('image/jp2', 'other', '\0\0\0\x0cjP  '),
  magic('image/wmf', 'other', '\xd7\xcd\xc6\x9a'),
  magic('image/emf', 'other', ' EMF', 40),
  magic('audio/mpeg', 'other', 'ID3'),
  magic('audio/mpeg', 'other', '\xff\xfb'),
  magic('audio/ogg', 'other', 'OggS'),
  magic('audio/flac', 'other', 'fLaC'),
  magic('audio/wav', 'other', 'WAVE', 8),
  magic('audio/midi', 'other', 'MThd'),
  magic('video/avi', 'other', 'AVI ', 8),
  magic('video/mp4', 'other', 'ftyp', 4),
  magic('video/x-matroska', 'other', '\x1a\x45\xdf\xa3'),
  magic('video/x-ms-asf', 'other', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'),
  magic('video/x-flv', 'other', 'FLV\x01'),
  magic('video/mpeg', 'other', '\0\0\x01\xba'),
  magic('font/woff', 'other', 'wOFF'),
  magic('font/woff2', 'other', 'wOF2'),
  magic('font/otf', 'other', 'OTTO'),
  magic('font/ttf', 'other', '\0\x01\0\0\0'),
  magic('font/collection', 'other', 'ttcf'),
]

/** By the first byte of the document, in order: most signatures begin with another one. */
const MAGICS_BY_BYTE = Array.from({ length: 256 }, (_, byte) =>
  MAGICS.filter(({ at, bytes }) => at > 0 || bytes[0] === byte),
)

/** The first signature that fits. */
export function magicOf(head: Uint8Array, whole: Uint8Array): Magic | undefined {
  const first = head[0] ?? whole[0]
  if (first === undefined) return undefined
  // Compared here first, because it excludes nearly all.
  for (const one of MAGICS_BY_BYTE[first] ?? [])
    if ((one.at < head.length ? head : whole)[one.at] === one.bytes[0] && matches(one, head, whole)) return one
  return undefined
}

/** Types with printable signatures: a text that happens to start with one is still a text. */
export const PRINTABLE_MAGICS: ReadonlySet<string> = new Set(
  words(`application/x-bzip2 application/x-cpio application/x-xar application/x-vhd application/x-vhdx
  application/x-lzh-compressed application/x-ace-compressed application/x-arj application/x-tar
  application/x-squashfs application/x-stuffit application/vnd.rar application/vnd.ms-outlook-store
  application/vnd.ms-access application/x-zpaq application/x-apple-archive
  application/x-apple-encrypted-archive application/x-yaa application/x-bzip3 application/x-dms
  application/x-disk-doubler application/x-squeeze-it application/x-yz1 application/x-partimage
  application/x-apple-diskimage application/x-mobipocket-ebook application/x-installshield
  application/x-ms-reader application/x-kgb application/x-sqx application/x-iso-compressed
  application/x-parallels-image application/x-romfs application/x-raw-disk-image image/gif
  image/vnd.adobe.photoshop image/webp image/emf audio/mpeg audio/wav audio/ogg audio/flac audio/midi
  video/avi video/mp4 font/otf font/woff font/woff2 font/collection`),
)

const ROLES: ReadonlyMap<string, Role> = new Map([
  ...MAGICS.map(({ type, role }) => [type, role] as const),
  ['application/x-dosexec', 'executable'] as const,
  ['application/java-vm', 'other'] as const,
])

export function roleOf(type: string): Role | null {
  return ROLES.get(type) ?? null
}
