/** Findings about OpenDocument files. */

import type { Definition } from './definition.ts'

const DO_NOT_OPEN = 'Do not open it. If you expected it, ask the sender for a copy without macros.'

export const ODF = {
  macro: {
    id: 'Docvet.Odf.Macro',
    severity: 'notice',
    title: 'Macros in an OpenDocument file',
    reason: 'The document contains macros in Basic, Python or another language.',
    technique: 'T1204.002',
    article: {
      danger: 'Macros can do everything that the reader can do.',
      cause: 'Forms and templates contain macros.',
      advice: 'Enable macros only if you know the document.',
    },
  },
  macroStart: {
    id: 'Docvet.Odf.MacroStart',
    severity: 'suspicious',
    title: 'Macro that starts a program after a click',
    reason: 'A button, link or other event of the document runs a macro that starts a program or fetches a file.',
    technique: 'T1204.002',
    article: {
      danger: 'One click starts the program of the macro.',
      cause: 'Examples and in-house tools start other programs.',
      advice: 'Ask the sender what the macro does before you enable macros.',
    },
  },
  autoMacro: {
    id: 'Docvet.Odf.AutoMacro',
    severity: 'malicious',
    title: 'Macro that starts a program on opening',
    reason: 'Opening the document runs a macro that starts a program or fetches a file.',
    technique: 'T1204.002',
    article: {
      danger: 'The program runs as soon as macros are enabled.',
      cause: null,
      advice: DO_NOT_OPEN,
    },
  },
  autoFetch: {
    id: 'Docvet.Odf.AutoFetch',
    severity: 'suspicious',
    title: 'Macro that reads a URL on opening',
    reason: 'Opening the document runs a macro that reads a URL. It starts nothing and saves no program.',
    technique: 'T1071.001',
    article: {
      danger: 'The server learns who opened the document, and its answer may change what the macro does.',
      cause: 'Price lists and forms load their data this way.',
      advice: 'Enable macros only if you know the server.',
    },
  },
  scriptTraversal: {
    id: 'Docvet.Odf.ScriptTraversal',
    severity: 'malicious',
    title: 'Link that runs code outside the document',
    reason: 'The URL of a macro leaves its folder, expands variables or calls a program of LibreOffice itself.',
    technique: 'T1203',
    article: {
      danger: 'LibreOffice runs the code without the question for macros, as in CVE-2018-16858 and CVE-2019-9848.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  remoteObject: {
    id: 'Docvet.Odf.RemoteObject',
    severity: 'suspicious',
    title: 'Object or section loaded from a server',
    reason: 'Opening the document loads an object, a frame or a section from a server.',
    technique: 'T1221',
    article: {
      danger: 'The server learns who opened the document and decides what it shows.',
      cause: 'Charts and sections are sometimes linked to files of an intranet.',
      advice: 'Decline the update of links unless you know the server.',
    },
  },
} as const satisfies Record<string, Definition>
