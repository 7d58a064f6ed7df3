/** Findings about QR codes in pictures and drawings. */

import type { Definition } from './definition.ts'

export const QR = {
  code: {
    id: 'Docvet.Qr.Code',
    severity: 'notice',
    title: 'QR code',
    reason: 'A picture of the document is a QR code.',
    technique: null,
    article: {
      danger: 'A phone opens the address of the code without the protection that a computer at work has.',
      cause: 'Invoices, tickets and posters have such codes.',
      advice: 'Compare the address with that of the sender before you scan the code.',
    },
  },
  phishing: {
    id: 'Docvet.Qr.Phishing',
    severity: 'suspicious',
    title: 'QR code with a pretext',
    reason: 'The document has little else than a QR code, and its text or the address is that of phishing.',
    technique: 'T1566.002',
    article: {
      danger: 'The page behind the code may ask for a password or a code for signing in.',
      cause: 'Invitations to set up a phone are similar.',
      advice:
        'Do not scan the code. Open the service that it names as you always do, or ask the sender in another way.',
    },
  },
  unread: {
    id: 'Docvet.Qr.Unread',
    severity: 'notice',
    title: 'Pictures that were not searched for codes',
    reason: 'Some pictures are larger or more than those that are searched for QR codes, or of another kind.',
    technique: null,
    article: {
      danger: 'One of them may be a QR code with an address that was not judged.',
      cause: 'Scans and photo albums have large pictures.',
      advice: 'Compare the address of a code with that of the sender before you scan it.',
    },
  },
} as const satisfies Record<string, Definition>
