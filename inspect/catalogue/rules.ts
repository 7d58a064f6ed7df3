/** Findings of the bundled YARA rules that no other family has. A test compares the texts with those of the rules. */

import type { Definition } from './definition.ts'

export const RULES = {
  smuggling: {
    id: 'Docvet.Html.Smuggling',
    severity: 'malicious',
    title: 'Page that assembles and saves a program',
    reason: 'A script in the page builds a Windows program from Base64 and offers it as a download.',
    technique: 'T1027.006',
    article: {
      danger: 'The program passes filters, because it exists only after the page was opened.',
      cause: null,
      advice: 'Delete the page. If it was opened, do not run what it saved.',
    },
  },
  rtfProgram: {
    id: 'Docvet.Rtf.EncodedExecutable',
    severity: 'malicious',
    title: 'Program inside the RTF document',
    reason: 'An object in the document contains a program in hexadecimal digits.',
    technique: 'T1027.009',
    article: {
      danger: 'Word stores the program on the disk when the document is opened, and a click or an exploit starts it.',
      cause: null,
      advice: 'Do not open the document.',
    },
  },
  brokenStream: {
    id: 'Docvet.Ole.BrokenStream',
    severity: 'notice',
    title: 'Incomplete stream in the compound file',
    reason: 'A stream is shorter than the directory declares, so its end could not be inspected.',
    technique: null,
    article: {
      danger: 'None by itself. Attackers damage documents on purpose to confuse scanners.',
      cause: 'Interrupted downloads and faulty programs leave incomplete files.',
      advice: 'Ask the sender for the document again if it does not open.',
    },
  },
} as const satisfies Record<string, Definition>
