/** The canaries for a clamd, the expected answer to each, and the setting to change when the answer is another. */
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { canaryFile } from '#engines/canary-files.ts'
import type { Outcome } from '#engines/engine.ts'
import { isOutOfSpace } from './reply.ts'

const IS_EXPECTED = {
  found: (outcome) => outcome.kind === 'detected',
  clean: (outcome) => outcome.kind === 'clean',
  /** Anything but clean. */
  held: (outcome) => outcome.kind === 'detected' || outcome.kind === 'unscannable',
  /** Only the report that a limit was exceeded. */
  limited: (outcome) => outcome.kind === 'unscannable' && outcome.obstacle === 'too_complex',
} satisfies Record<string, (outcome: Outcome) => boolean>

/** Why a clamd is not used. Both texts follow the word "clamd". */
export interface Problem {
  /** Public: without URLs, paths and messages of the system or of clamd. */
  notice: string
  /** For the log. */
  detail: string
}

export interface Canary {
  name: string
  must: keyof typeof IS_EXPECTED
  /** Public: what clamd does wrong when it gives another answer, and the fix. */
  notice: string
  document(): Buffer[]
}

/** Public. */
export const OUT_OF_SPACE = 'cannot write temporary files: free space in its TemporaryDirectory, or enlarge it to 5 GB'
const SIZES = 'set MaxFileSize 400M and MaxScanSize 400M (both the same)'
const BLANKS = Buffer.alloc(1024 * 1024, ' ')
/** A wrong limit for the size of documents makes clamd answer with an error. */
const LARGEST_DOCUMENT = 'size'

/** A few milliseconds each. Each relies on those before it, so that the first failure names the cause. */
export const SMALL_CANARIES: readonly Canary[] = [
  // A database of the operator's own signatures must contain it, too.
  canary('threat', 'found', 'does not find the EICAR test file: load the official signatures with freshclam'),
  canary('benign', 'clean', 'does not report a harmless text as clean: check its signatures'),
  hiding('an archive', 'set ScanArchive yes'),
  canary('nested', 'held', 'passes a threat inside 20 nested archives as clean: set AlertExceedsMax yes'),
  canary('limit', 'limited', 'does not report when it stops at a limit: set AlertExceedsMax yes'),
  canary('announced member', 'clean', `does not fully scan archive members of 200 MB: ${SIZES}`),
  canary('encrypted', 'held', 'passes an encrypted archive as clean: set AlertEncrypted yes'),
  hiding('a PDF', 'set ScanPDF yes'),
  canary('encrypted PDF', 'held', 'passes an encrypted PDF as clean: set AlertEncrypted yes'),
  hiding('an Office document (OLE2)', 'set ScanOLE2 yes'),
  hiding('an Office document saved as XML', 'set ScanXMLDOCS yes'),
  hiding('a mail', 'set ScanMail yes'),
  hiding('an HTML page', 'set ScanHTML yes'),
  hiding('a OneNote file', 'set ScanOneNote yes (ClamAV 1.3 and newer)'),
]

/** A tenth of a second and more each. */
export const LARGE_CANARIES: readonly Canary[] = [
  {
    name: LARGEST_DOCUMENT,
    must: 'found',
    notice:
      'does not fully scan a document of 25 MB: set StreamMaxLength 26M, MaxHTMLNormalize 100M, MaxFileSize 400M and MaxScanSize 400M',
    document: largestPage,
  },
  canary('large member', 'held', `passes a threat at the end of an archive member of 110 MB as clean: ${SIZES}`),
]

/** Null when the answer is as expected. */
export function problemOf({ name, must, notice }: Canary, outcome: Outcome): Problem | null {
  if (IS_EXPECTED[must](outcome)) return null
  const hasNoResult = outcome.kind === 'failed' && name !== LARGEST_DOCUMENT
  const shown = isOutOfSpace(outcome) ? OUT_OF_SPACE : hasNoResult ? `gives no result for a canary (${name})` : notice
  return { notice: shown, detail: `${shown} (${answerOf(outcome)})` }
}

function answerOf(outcome: Outcome): string {
  if (outcome.kind === 'detected') return `answered ${outcome.threat}`
  return outcome.kind === 'clean' ? 'answered OK' : outcome.detail
}

function canary(name: string, must: Canary['must'], notice: string): Canary {
  return { name, must, notice, document: () => [canaryFile(name)] }
}

/** The threat is found only by parsing this kind of document. */
function hiding(name: string, remedy: string): Canary {
  return canary(name, 'found', `does not find a threat inside ${name}: ${remedy}`)
}

/** A page of the maximum size with the threat at its end. Blanks take clamd the least time. */
function largestPage(): Buffer[] {
  const page = canaryFile('an HTML page')
  const blanks = DOCUMENT_BYTES_MAX - page.length
  const pieces = Array.from({ length: Math.floor(blanks / BLANKS.length) }, () => BLANKS)
  return [Buffer.from('<html>'), ...pieces, BLANKS.subarray(0, (blanks % BLANKS.length) - '<html>'.length), page]
}
