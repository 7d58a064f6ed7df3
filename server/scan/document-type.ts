/** Accepts PDF, Office documents, text and ZIP: the content decides, and a declaration can only refuse. */
import { type Claim, isDisguisedProgram } from '#base/disguised-program.ts'
import { AppError } from '#base/errors.ts'
import type { Sniffed, sniff } from '#inspect/detect/sniff.ts'
import { type OtherContent, PassedContent } from './verdict.ts'

export type Sniff = typeof sniff

export const HEAD_BYTES = 4_096
const ACCEPTED = 'Send a PDF, an Office document, text or a ZIP archive.'

const REFUSED_FAMILIES = new Set(['image', 'audio', 'video', 'font', 'model'])
/** The only image that is text. */
const SVG = 'image/svg+xml'
/** Scripts are absent: they are text, so their content is inspected. */
const PROGRAMS = new Set(
  [
    'exe dos-exe x-exe x-winexe x-dosexec x-msdos-program msdos-windows x-msdownload x-ms-dos-executable',
    'vnd.microsoft.portable-executable x-msi x-ms-installer msix msixbundle vnd.ms-appx appx appxbundle',
    'x-executable x-elf x-pie-executable x-sharedlib x-object x-mach-binary x-mach-o',
    'java-archive x-java-archive x-jar java-vm x-java-vm java x-java-applet x-java-class java-byte-code',
    'vnd.android.package-archive vnd.symbian.install wasm x-shockwave-flash x-chrome-extension x-xpinstall',
    'vnd.debian.binary-package x-debian-package x-deb x-rpm x-redhat-package-manager vnd.appimage x-iso9660-appimage',
    'x-python-code x-bytecode.python',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => `application/${name}`),
)

/** Only a type that cannot mislead a reader is repeated in the answer. */
const QUOTABLE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/

/** `image` of `image/png`. */
const familyOf = (type: string): string => type.split('/', 1)[0] as string

/** Throws 415 when a document is declared as something that is plainly none. */
export function checkDeclaredType(type: string | null): void {
  if (type === null) return
  const end = type.indexOf(';')
  const essence = (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
  if (essence === SVG || !(REFUSED_FAMILIES.has(familyOf(essence)) || PROGRAMS.has(essence))) return
  const named = QUOTABLE.test(essence) ? `type \`${essence}\`` : 'type'
  throw new AppError('unsupported_content_type', `The declared ${named} is not accepted. ${ACCEPTED}`)
}

/** Up to `bytesMax` bytes in one buffer, which is overwritten afterwards if it is a copy. */
function withJoined<T>(chunks: readonly Buffer[], bytesMax: number, use: (bytes: Buffer) => T): T {
  const [first] = chunks
  if (first && (first.length >= bytesMax || chunks.length === 1)) return use(first.subarray(0, bytesMax))
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const copy = Buffer.concat(chunks, Math.min(size, bytesMax))
  try {
    return use(copy)
  } finally {
    copy.fill(0)
  }
}

/** `isOther`: it is no document, and `other` has it inspected all the same. */
interface Detected extends Sniffed {
  isOther: boolean
}

/**
 * The type of a document by its content. Throws 415 when it is not accepted, unless it is a disguised program or `other`
 * says otherwise.
 */
export function detectType(sniff: Sniff, chunks: readonly Buffer[], claim: Claim, other?: OtherContent): Detected {
  const byHead = withJoined(chunks, HEAD_BYTES, (head) => sniff(head))
  // The kind of a ZIP depends on its entries, and a ZIP behind a stub shows only at its end.
  const needsWhole = byHead.kind === 'zip' || byHead.kind === null
  const byWhole = (bytes: Buffer) => sniff(bytes.subarray(0, HEAD_BYTES), bytes)
  const found = needsWhole ? withJoined(chunks, Number.POSITIVE_INFINITY, byWhole) : byHead
  if (found.kind !== null || isDisguisedProgram(found.type, claim)) return { ...found, isOther: false }
  if (other?.pass.includes(familyOf(found.type))) throw new PassedContent(found.type)
  if (!other?.isInspected) throw new UnsupportedDocument(found.type)
  return { ...found, isOther: true }
}

/** Whether content passes by its first HEAD_BYTES alone, because `pass` names its family. */
export function passesByHead(sniff: Sniff, head: Buffer, pass: readonly string[]): boolean {
  const { kind, type } = sniff(head)
  return head.length >= HEAD_BYTES && kind === null && pass.includes(familyOf(type))
}

/** 415 for a document that was received, and its type by content. */
export class UnsupportedDocument extends AppError {
  readonly type: string

  constructor(type: string) {
    super('unsupported_content_type', `The content is \`${type}\`, which is not accepted. ${ACCEPTED}`)
    this.type = type
  }
}
