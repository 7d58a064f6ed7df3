/** Detects the type of a document from its bytes. Unpacks nothing, so it is safe in any process. */

import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Sniffed } from '#inspect/core/kind.ts'
import { magicOf, PRINTABLE_MAGICS, roleOf } from './magic.ts'
import { encodingOf, noisyEncodingOf, textType } from './text.ts'
import { findEnd, packageOf, sniffPackage } from './zip-kind.ts'

export type { Sniffed }

/** Bytes needed for detection without the whole document. */
export const HEAD_BYTES = 4096

/** PDF readers search for the header in the first 1,024 bytes. */
const PDF_HEADER_WITHIN = 1024

const PDF = ascii('%PDF-')
const RTF = ascii('{\\rt')
const OLE2 = ascii('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const ONENOTE = [
  ascii('\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3'),
  ascii('\xa1\x2f\xff\x43\xd9\xef\x76\x4c\x9e\xe2\x10\xea\x57\x22\x76\x5f'),
]
const UTF8_MARK = ascii('\xef\xbb\xbf')
/** As in `\s`. */
const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0])
const RTF_WITHIN = 64
const PROGRAM = ascii('MZ')
const JAVA_OR_MACH = ascii('\xca\xfe\xba\xbe')
const BITMAP = ascii('BM')
const ZIP = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08PK', 'PK00PK\x03\x04'].map(ascii)

/** Offset of the PDF header, or -1. */
export function pdfHeaderAt(bytes: Uint8Array): number {
  return view(bytes.subarray(0, PDF_HEADER_WITHIN + PDF.length)).indexOf(PDF)
}

export function isZip(bytes: Uint8Array): boolean {
  return ZIP.some((magic) => startsWith(bytes, magic))
}

export function isOle2(bytes: Uint8Array): boolean {
  return startsWith(bytes, OLE2)
}

/** DOS and Windows programs: `MZ` followed by binary data. */
function isProgram(head: Uint8Array): boolean {
  return startsWith(head, PROGRAM) && encodingOf(head.subarray(0, 512)) === null
}

/** After a byte order mark and white space. */
function rtf(head: Uint8Array): boolean {
  let start = startsWith(head, UTF8_MARK) ? UTF8_MARK.length : 0
  while (start < RTF_WITHIN && SPACES.has(head[start] ?? 0)) start += 1
  return start < RTF_WITHIN && startsWith(head, RTF, start)
}

/**
 * The binary format by signature alone, or null. Formats use it instead of the sniffed kind, because a name in the
 * header of an archive can look like a PDF header.
 */
export function binaryType(whole: Uint8Array): string | null {
  const head = whole.subarray(0, HEAD_BYTES)
  return isProgram(head) ? 'application/x-dosexec' : byMagic(head, whole)
}

function byMagic(head: Uint8Array, whole: Uint8Array): string | null {
  const found = magicOf(head, whole)
  if (found === undefined) {
    if (startsWith(head, JAVA_OR_MACH)) return (head[7] ?? 0) > 30 ? 'application/java-vm' : 'application/x-mach-binary'
    if (startsWith(head, BITMAP) && (head[6] ?? 1) === 0 && (head[7] ?? 1) === 0) return 'image/bmp'
    return null
  }
  return PRINTABLE_MAGICS.has(found.type) && isSentence(head, found.type) ? null : found.type
}

/**
 * Text such as "BZh…" has no control characters at its start, these formats do. A crafted archive can avoid them or
 * begin with a UTF-16 BOM, but it is not valid UTF-8 by chance.
 */
function isSentence(head: Uint8Array, type: string): boolean {
  const encoding = encodingOf(head.subarray(0, HEAD_BYTES))
  return roleOf(type) === 'archive' ? encoding === 'utf-8' : encoding !== null
}

/**
 * `head` is the first HEAD_BYTES of the document, or all of it. With `whole`, packages are distinguished by the names in
 * their directory, and an archive after other data is found. `readEncoding` may replace the detection of the encoding by a faster one.
 */
export function sniff(head: Uint8Array, whole: Uint8Array = head, readEncoding = encodingOf): Sniffed {
  if (isZip(head)) return sniffPackage(head, whole)
  if (isOle2(head)) return { kind: 'ole2', type: 'application/x-ole-storage' }
  if (ONENOTE.some((magic) => startsWith(head, magic))) return { kind: 'onenote', type: 'application/onenote' }
  if (rtf(head)) return { kind: 'rtf', type: 'application/rtf' }
  // A program with a PDF header near its start opens as a PDF. The program in it becomes a finding.
  if (pdfHeaderAt(head) !== -1 && !opensAsText(head)) return { kind: 'pdf', type: 'application/pdf' }
  if (isProgram(head)) return { kind: null, type: 'application/x-dosexec' }
  const binary = byMagic(head, whole)
  if (binary !== null) return { kind: null, type: binary }
  const end = findEnd(whole)
  if (end !== null) return packageOf(end.names)
  const start = head.subarray(0, HEAD_BYTES)
  const encoding = readEncoding(start) ?? noisyEncodingOf(start)
  return encoding === null
    ? { kind: null, type: 'application/octet-stream' }
    : { kind: 'text', type: textType(head, encoding) }
}

/** A mail or page that mentions or contains a PDF in its first lines: text, then `%PDF-` inside a line. */
function opensAsText(head: Uint8Array): boolean {
  const at = pdfHeaderAt(head)
  if (at === 0) return false
  const encoding = encodingOf(head.subarray(0, at))
  if (encoding === null) return false
  return textType(head, encoding) !== 'text/plain'
}
