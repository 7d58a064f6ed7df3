/** The test files that prove a clamd, what it must say to each, and which of its settings is wrong when it does not. */
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { announcingTar, EICAR, encryptedZip, largeMemberZip, nestedZip } from '#engines/canary-files.ts'
import type { Outcome } from '#engines/engine.ts'
import * as documents from './canary-documents.ts'

/** `held`: anything but clean. `limited`: nothing but the word that a limit was met. */
type Duty = 'found' | 'clean' | 'held' | 'limited'

export interface Canary {
  name: string
  /** Takes clamd a tenth of a second and more. */
  large: boolean
  document(): Iterable<Buffer>
  must: Duty
  /** What this clamd does when it fails its duty. The public sees it. */
  wrong: string
  /** What its operator has to do then. */
  remedy: string
  /** One of these settings may make clamd answer with an error. */
  isRefusable?: true
}

const DEPTH = 20
const LARGE_MEMBER_MEBIBYTES = 110
const BLANKS = Buffer.alloc(1024 * 1024, ' ')
/** The largest part that the embedded engine looks into; of what is larger there is no verdict anyway. */
const MEMBER_BYTES_MAX = 200_000_000
/** clamd takes no limit on a file beyond two bytes less than this, and a tar cannot announce more to it. */
const BEYOND_ANY_LIMIT = 2 ** 31 - 1
const SIZES = 'set MaxFileSize 400M and MaxScanSize 400M (both the same)'

/** Cheap: a few milliseconds each. Every one relies on those before it, so that the first that fails names the cause. */
export const SMALL_CANARIES: readonly Canary[] = [
  {
    name: 'threat',
    large: false,
    document: () => [EICAR],
    must: 'found',
    wrong: 'does not find the EICAR test file',
    // The official database has it; one of your own signatures only must have it too.
    remedy: 'load the official signatures with freshclam',
  },
  {
    name: 'benign',
    large: false,
    document: () => [Buffer.from('A harmless text, sent by Docvet to see that a clean document is called clean.\n')],
    must: 'clean',
    wrong: 'does not call a harmless text clean',
    remedy: 'check its signatures',
  },
  hiding('an archive', 'set ScanArchive yes', () => nestedZip(EICAR, 1)),
  {
    name: 'nested',
    large: false,
    document: once(() => nestedZip(EICAR, DEPTH)),
    must: 'held',
    wrong: `passes a threat inside ${DEPTH} nested archives as clean`,
    remedy: 'set AlertExceedsMax yes',
  },
  {
    name: 'limit',
    large: false,
    document: once(() => announcingTar(BEYOND_ANY_LIMIT)),
    must: 'limited',
    wrong: 'does not tell when it stops at a limit',
    remedy: 'set AlertExceedsMax yes',
  },
  {
    // Only announced: such a member in full would take clamd a second. It is measured against the same limits.
    name: 'announced member',
    large: false,
    document: once(() => announcingTar(MEMBER_BYTES_MAX)),
    must: 'clean',
    wrong: 'does not look into archive members of 200 MB completely',
    remedy: SIZES,
  },
  {
    name: 'encrypted',
    large: false,
    document: once(() => encryptedZip(EICAR)),
    must: 'held',
    wrong: 'passes an encrypted archive as clean',
    remedy: 'set AlertEncrypted yes',
  },
  hiding('a PDF', 'set ScanPDF yes', () => documents.pdfWithStream(EICAR)),
  {
    name: 'encrypted PDF',
    large: false,
    document: once(() => documents.encryptedPdf()),
    must: 'held',
    wrong: 'passes an encrypted PDF as clean',
    remedy: 'set AlertEncrypted yes',
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
    wrong: 'does not look through a document of 25 MB',
    remedy: 'set StreamMaxLength 26M, MaxHTMLNormalize 100M, MaxFileSize 400M and MaxScanSize 400M',
    isRefusable: true,
  },
  {
    name: 'large member',
    large: true,
    document: once(() => largeMemberZip(EICAR, LARGE_MEMBER_MEBIBYTES)),
    must: 'held',
    wrong: `passes a threat at the end of an archive member of ${LARGE_MEMBER_MEBIBYTES} MB as clean`,
    remedy: SIZES,
  },
]

/** Null: as it must be. Otherwise what is wrong: in words for everybody, and with what clamd said for the log. */
export function complaint(
  { name, must, wrong, remedy, isRefusable }: Canary,
  outcome: Outcome,
): Record<'notice' | 'detail', string> | null {
  if (fulfils(must, outcome)) return null
  const said = saidBy(outcome)
  if (outcome.kind === 'failed' && !isRefusable) {
    const notice = `gives no result for a test file (${name})`
    return { notice, detail: `${notice}: ${said}` }
  }
  return { notice: `${wrong}: ${remedy}`, detail: `${wrong} (${said}): ${remedy}` }
}

function fulfils(must: Duty, outcome: Outcome): boolean {
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

function saidBy(outcome: Outcome): string {
  if (outcome.kind === 'detected') return `said ${outcome.threat}`
  return outcome.kind === 'clean' ? 'said OK' : outcome.detail
}

/** The threat where only whoever opens this kind of document finds it. */
function hiding(what: string, remedy: string, make: () => Buffer): Canary {
  const wrong = `does not find a threat inside ${what}`
  return { name: what, large: false, document: once(make), must: 'found', wrong, remedy }
}

/** A page as large as a document may be, with the threat at its end. Blanks take the least time. */
function largestPage(): Buffer[] {
  const page = documents.htmlWithData(EICAR)
  const blanks = DOCUMENT_BYTES_MAX - page.length
  const pieces = Array.from({ length: Math.floor(blanks / BLANKS.length) }, () => BLANKS)
  return [Buffer.from('<html>'), ...pieces, BLANKS.subarray(0, (blanks % BLANKS.length) - '<html>'.length), page]
}

/** Made when it is first needed, then kept: the largest has 112 KB. */
function once(make: () => Buffer): () => Buffer[] {
  let made: Buffer | null = null
  return () => {
    made ??= make()
    return [made]
  }
}
