/** Findings in PDF documents. */

import type { Definition } from './definition.ts'

export const PDF = {
  javaScript: {
    id: 'Docvet.Pdf.JavaScript',
    severity: 'notice',
    title: 'JavaScript in the PDF',
    reason: 'The document contains scripts that a PDF reader may run.',
    technique: 'T1059.007',
    article: {
      danger: 'Scripts in a PDF can open addresses, send form data and exploit errors of the reader.',
      cause: 'Forms use scripts to check and calculate fields.',
      advice: 'Open it in a reader with JavaScript disabled unless you know the form.',
    },
  },
} as const satisfies Record<string, Definition>
