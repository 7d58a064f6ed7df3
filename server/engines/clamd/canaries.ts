/** The test files that prove a clamd, what it must say to each, and which of its settings is wrong when it does not. */
import type { Outcome } from '#engines/engine.ts'
import { EICAR, encryptedZip, largeMemberZip, nestedZip } from './canary-files.ts'
import type { Document } from './client.ts'

export interface Canary {
  name: string
  /** Takes clamd half a second and more. */
  large: boolean
  document(): Document
  /** Null: as it must be. Otherwise what is wrong and what to change, for operators. */
  complaint(outcome: Outcome): string | null
}

const DEPTH = 20
const LARGE_MEMBER_MEBIBYTES = 110
/** The largest document that is ever sent. */
const DOCUMENT_BYTES_MAX = 26_214_400
const MEBIBYTE = Buffer.alloc(1024 * 1024)

/** Cheap: a few milliseconds together. */
export const SMALL_CANARIES: readonly Canary[] = [
  {
    name: 'threat',
    large: false,
    document: () => [EICAR],
    // The official database has it; one of your own signatures only must have it too.
    complaint: (outcome) =>
      outcome.kind === 'detected'
        ? null
        : `does not detect the EICAR test file (${said(outcome)}): load the official signatures with freshclam`,
  },
  {
    name: 'benign',
    large: false,
    document: () => [Buffer.from('A harmless text, sent by Docvet to see that a clean document is called clean.\n')],
    complaint: (outcome) =>
      outcome.kind === 'clean' ? null : `does not call a harmless text clean (${said(outcome)}): check its signatures`,
  },
  {
    name: 'nested',
    large: false,
    document: once(() => nestedZip(EICAR, DEPTH)),
    complaint: mustNotPass(`a threat inside ${DEPTH} nested archives`, 'AlertExceedsMax yes'),
  },
  {
    name: 'encrypted',
    large: false,
    document: once(() => encryptedZip(EICAR)),
    complaint: mustNotPass('an encrypted archive', 'AlertEncrypted yes'),
  },
]

export const LARGE_CANARIES: readonly Canary[] = [
  {
    name: 'size',
    large: true,
    document: () => Array.from({ length: DOCUMENT_BYTES_MAX / MEBIBYTE.length }, () => MEBIBYTE),
    complaint: (outcome) =>
      outcome.kind === 'clean'
        ? null
        : `does not take a document of 25 MB (${said(outcome)}): set StreamMaxLength 26M, MaxFileSize 400M and MaxScanSize 400M`,
  },
  {
    name: 'large member',
    large: true,
    document: once(() => largeMemberZip(EICAR, LARGE_MEMBER_MEBIBYTES)),
    complaint: mustNotPass(
      `a threat at the end of an archive member of ${LARGE_MEMBER_MEBIBYTES} MB`,
      'MaxFileSize 400M and MaxScanSize 400M (both the same)',
    ),
  },
]

function mustNotPass(what: string, settings: string): (outcome: Outcome) => string | null {
  return (outcome) => {
    if (outcome.kind === 'clean') return `passes ${what} as clean: set ${settings}`
    return outcome.kind === 'failed' ? `gives no result for ${what} (${said(outcome)})` : null
  }
}

function said(outcome: Outcome): string {
  if (outcome.kind === 'detected') return `said ${outcome.threat}`
  return outcome.kind === 'clean' ? 'said OK' : outcome.detail
}

/** Made when it is first needed, then kept: the largest has 112 KB. */
function once(make: () => Buffer): () => Document {
  let made: Buffer | null = null
  return () => {
    made ??= make()
    return [made]
  }
}
