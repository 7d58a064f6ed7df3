/** Why a document has no verdict, and what helps. */
import type { ScanReport } from '../api/schema.ts'

interface Obstacle {
  reason: string
  advice: string
  /** Of the problem that the API answered. */
  code: string
}

const UNKNOWN_RISK = 'Whether it is safe is not known.'

export const OBSTACLES: Readonly<Record<NonNullable<ScanReport['obstacle']>, Obstacle>> = {
  encrypted: {
    reason: 'It is protected with a password, so nobody could look inside.',
    advice: 'Scan it again and enter its password, or ask the sender for a copy without one.',
    code: 'encrypted_document',
  },
  too_complex: {
    reason: 'It has too many parts, or parts within parts, to be inspected completely.',
    advice: `Ask the sender for a simpler copy, for example as PDF, or scan its parts one by one. ${UNKNOWN_RISK}`,
    code: 'document_too_complex',
  },
  damaged: {
    reason: 'It is damaged or incomplete, so it could not be read to its end.',
    advice: 'Download it again, or ask the sender to send it again.',
    code: 'damaged_document',
  },
  unsupported: {
    reason: 'It is not a document: PDF, Office, text, e-mail and ZIP files are scanned.',
    advice: `${UNKNOWN_RISK} Do not open it unless you expected it from someone you know; ask your IT department.`,
    code: 'unsupported_content_type',
  },
  empty: {
    reason: 'The file is empty: it has 0 bytes.',
    advice: 'Download it again, or ask the sender to send it again.',
    code: 'empty_file',
  },
  too_large: {
    reason: 'It is larger than 25 MB.',
    advice: `Ask the sender for a smaller copy, or for its parts. ${UNKNOWN_RISK}`,
    code: 'file_too_large',
  },
}

/** Why a scan has no verdict, in a sentence. */
export function reasonOf({ obstacle, state }: Pick<ScanReport, 'obstacle' | 'state'>): string {
  if (obstacle !== null) return OBSTACLES[obstacle].reason
  if (state === 'failed') return 'The scan failed. Nothing is known about the document: scan it again.'
  return state === 'queued' || state === 'running'
    ? 'It has no verdict yet. Open this page again in a moment.'
    : 'It has no verdict.'
}
