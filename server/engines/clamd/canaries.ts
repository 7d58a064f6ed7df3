/** The canaries for a clamd, the expected answer to each, and the setting to change when the answer is another. */
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { announcingTar, EICAR, encryptedZip, largeMemberZip, nestedZip } from '#engines/canary-files.ts'
import type { Outcome } from '#engines/engine.ts'
import * as documents from './canary-documents.ts'

/** `held`: anything but clean. `limited`: only the report that a limit was exceeded. */
type Expectation = 'found' | 'clean' | 'held' | 'limited'

/** Why a clamd is not used. Both texts follow the word "clamd". */
export interface Problem {
  /** Public: without URLs, paths and messages of the system or of clamd. */
  notice: string
  /** For the log. */
  detail: string
}

export interface Canary {
  name: string
  /** Takes clamd a tenth of a second and more. */
  large?: true
  document(): Iterable<Buffer>
  must: Expectation
  /** Public: what clamd does wrong when it gives another answer, and the fix. */
  notice: string
  /** The wrong setting may make clamd answer with an error. */
  isRefusable?: true
}

const DEPTH = 20
const LARGE_MEMBER_MEBIBYTES = 110
const BLANKS = Buffer.alloc(1024 * 1024, ' ')
/** The largest part that the embedded engine inspects; larger ones get no verdict anyway. */
const MEMBER_BYTES_MAX = 200_000_000
/** Above the highest limit that clamd accepts, and the largest size that it reads from a tar. */
const BEYOND_ANY_LIMIT = 2 ** 31 - 1
const SIZES = 'set MaxFileSize 400M and MaxScanSize 400M (both the same)'

/** A few milliseconds each. Each relies on those before it, so that the first failure names the cause. */
export const SMALL_CANARIES: readonly Canary[] = [
  {
    name: 'threat',
    document: () => [EICAR],
    must: 'found',
    // A database of the operator's own signatures must contain it, too.
    notice: 'does not find the EICAR test file: load the official signatures with freshclam',
  },
  {
    name: 'benign',
    document: () => [
      Buffer.from('A harmless text, sent by Docvet to check that a clean document is reported as clean.\n'),
    ],
    must: 'clean',
    notice: 'does not report a harmless text as clean: check its signatures',
  },
  hiding('an archive', 'set ScanArchive yes', () => nestedZip(EICAR, 1)),
  {
    name: 'nested',
    document: once(() => nestedZip(EICAR, DEPTH)),
    must: 'held',
    notice: `passes a threat inside ${DEPTH} nested archives as clean: set AlertExceedsMax yes`,
  },
  {
    name: 'limit',
    document: once(() => announcingTar(BEYOND_ANY_LIMIT)),
    must: 'limited',
    notice: 'does not report when it stops at a limit: set AlertExceedsMax yes',
  },
  {
    // Only announced, because a complete member would take clamd a second. The same limits apply.
    name: 'announced member',
    document: once(() => announcingTar(MEMBER_BYTES_MAX)),
    must: 'clean',
    notice: `does not fully scan archive members of 200 MB: ${SIZES}`,
  },
  {
    name: 'encrypted',
    document: once(() => encryptedZip(EICAR)),
    must: 'held',
    notice: 'passes an encrypted archive as clean: set AlertEncrypted yes',
  },
  hiding('a PDF', 'set ScanPDF yes', () => documents.pdfWithStream(EICAR)),
  {
    name: 'encrypted PDF',
    document: once(() => documents.encryptedPdf()),
    must: 'held',
    notice: 'passes an encrypted PDF as clean: set AlertEncrypted yes',
  },
  hiding('an Office document (OLE2)', 'set ScanOLE2 yes', () => documents.compoundFile(EICAR)),
  hiding('an Office document saved as XML', 'set ScanXMLDOCS yes', () => documents.wordXml(EICAR)),
  hiding('a mail', 'set ScanMail yes', () => documents.mailWithAttachment(EICAR)),
  hiding('an HTML page', 'set ScanHTML yes', () => documents.htmlWithData(EICAR)),
  hiding('a OneNote file', 'set ScanOneNote yes (ClamAV 1.3 and newer)', () => documents.notebook(EICAR)),
]

export const LARGE_CANARIES: readonly Canary[] = [
  {
    name: 'size',
    large: true,
    document: largestPage,
    must: 'found',
    notice:
      'does not fully scan a document of 25 MB: set StreamMaxLength 26M, MaxHTMLNormalize 100M, MaxFileSize 400M and MaxScanSize 400M',
    isRefusable: true,
  },
  {
    name: 'large member',
    large: true,
    document: once(() => largeMemberZip(EICAR, LARGE_MEMBER_MEBIBYTES)),
    must: 'held',
    notice: `passes a threat at the end of an archive member of ${LARGE_MEMBER_MEBIBYTES} MB as clean: ${SIZES}`,
  },
]

/** Null when the answer is as expected. */
export function problemOf(canary: Canary, outcome: Outcome): Problem | null {
  if (isExpected(canary.must, outcome)) return null
  const hasNoResult = outcome.kind === 'failed' && !canary.isRefusable
  const notice = hasNoResult ? `gives no result for a canary (${canary.name})` : canary.notice
  return { notice, detail: `${notice} (${answerOf(outcome)})` }
}

function isExpected(must: Expectation, outcome: Outcome): boolean {
  switch (must) {
    case 'found':
      return outcome.kind === 'detected'
    case 'clean':
      return outcome.kind === 'clean'
    case 'held':
      return outcome.kind === 'detected' || outcome.kind === 'unscannable'
    case 'limited':
      return outcome.kind === 'unscannable' && outcome.obstacle === 'too_complex'
  }
}

function answerOf(outcome: Outcome): string {
  if (outcome.kind === 'detected') return `answered ${outcome.threat}`
  return outcome.kind === 'clean' ? 'answered OK' : outcome.detail
}

/** The threat is found only by parsing this kind of document. */
function hiding(what: string, remedy: string, make: () => Buffer): Canary {
  const notice = `does not find a threat inside ${what}: ${remedy}`
  return { name: what, document: once(make), must: 'found', notice }
}

/** A page of the maximum size with the threat at its end. Blanks take clamd the least time. */
function largestPage(): Buffer[] {
  const page = documents.htmlWithData(EICAR)
  const blanks = DOCUMENT_BYTES_MAX - page.length
  const pieces = Array.from({ length: Math.floor(blanks / BLANKS.length) }, () => BLANKS)
  return [Buffer.from('<html>'), ...pieces, BLANKS.subarray(0, (blanks % BLANKS.length) - '<html>'.length), page]
}

/** Built on first use and kept: the largest has 112 KB. */
function once(make: () => Buffer): () => Buffer[] {
  let made: Buffer | null = null
  return () => {
    made ??= make()
    return [made]
  }
}
