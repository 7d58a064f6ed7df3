/** Named by the service, not by the analyser: obstacles that the operator counts as threats. */

import type { Definition } from './definition.ts'

const advice = 'Ask the operator of this service if you need the document: the rejection is a setting.'
const danger = 'Nobody can tell what the document contains, so malware in it would not be found.'

export const UNSCANNABLE = {
  encrypted: {
    id: 'Docvet.Unscannable.Encrypted',
    severity: 'malicious',
    title: 'Encrypted document',
    reason: 'The document needs a password, and this service counts such documents as infected.',
    technique: 'T1027.013',
    article: { danger, cause: 'Confidential documents are sent with a password.', advice },
  },
  tooComplex: {
    id: 'Docvet.Unscannable.TooComplex',
    severity: 'malicious',
    title: 'Document too complex to scan',
    reason: 'The document exceeds a limit of the scanner, and this service counts such documents as infected.',
    technique: null,
    article: { danger, cause: 'Very large archives and unusual formats exceed the limits.', advice },
  },
  damaged: {
    id: 'Docvet.Unscannable.Damaged',
    severity: 'malicious',
    title: 'Damaged document',
    reason: 'The document cannot be read completely, and this service counts such documents as infected.',
    technique: null,
    article: { danger, cause: 'Interrupted downloads and faulty programs leave damaged documents.', advice },
  },
} as const satisfies Record<string, Definition>
