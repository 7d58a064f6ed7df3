/** Findings about RTF documents. */

import type { Definition } from './definition.ts'

const DO_NOT_OPEN = 'Do not open it. If you expected it, ask the sender for a copy as PDF.'

export const RTF = {
  ddeField: {
    id: 'Docvet.Rtf.DdeField',
    severity: 'malicious',
    title: 'Field that starts a program (DDE)',
    reason: 'A field tells Word to start another program when the document is opened.',
    technique: 'T1559.002',
    article: {
      danger: 'After one or two questions that readers tend to accept, Word runs the command of the field.',
      cause: null,
      advice: DO_NOT_OPEN,
    },
  },
  equationEditor: {
    id: 'Docvet.Rtf.EquationEditor',
    severity: 'malicious',
    title: 'Equation Editor object in an RTF document',
    reason:
      'The object opens in the Equation Editor, which has known vulnerabilities (CVE-2017-11882), and contains no ordinary equation.',
    technique: 'T1203',
    article: {
      danger: 'The old Equation Editor runs the code in the object when the document is opened.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  remoteTemplate: {
    id: 'Docvet.Rtf.RemoteTemplate',
    severity: 'malicious',
    title: 'Template loaded from a share, an IP address or as macros',
    reason: 'Opening the document fetches a template from a location that legitimate templates do not use.',
    technique: 'T1221',
    article: {
      danger: 'The macros of the template run, although the document itself contains none.',
      cause: 'A company may keep templates on a file server; its own documents are known to it.',
      advice: DO_NOT_OPEN,
    },
  },
  webTemplate: {
    id: 'Docvet.Rtf.WebTemplate',
    severity: 'suspicious',
    title: 'Template loaded from the web',
    reason: 'Opening the document fetches a template with its macros from a web server.',
    technique: 'T1221',
    article: {
      danger: 'The server can replace the template by one with harmful macros at any time.',
      cause: 'Intranets serve central templates.',
      advice: 'Ask the sender to confirm the document before anyone opens it.',
    },
  },
  objectObfuscation: {
    id: 'Docvet.Rtf.ObjectObfuscation',
    severity: 'suspicious',
    title: 'Object whose data is hidden from scanners',
    reason: 'The digits of an object are interrupted by groups, escapes or control words, which no program writes.',
    technique: 'T1027',
    article: {
      danger: 'Word reads the object, while simple scanners see only parts of it.',
      cause: null,
      advice: DO_NOT_OPEN,
    },
  },
  objectUpdate: {
    id: 'Docvet.Rtf.ObjectUpdate',
    severity: 'suspicious',
    title: 'Object that loads when the document is opened',
    reason: 'An object is marked for update on opening, so it loads without a click.',
    technique: 'T1203',
    article: {
      danger: 'Attacks use the mark to run an object as soon as the document is opened.',
      cause: 'Some programs that create documents set it.',
      advice: 'Ask the sender for a copy as PDF.',
    },
  },
  badHeader: {
    id: 'Docvet.Rtf.BadHeader',
    severity: 'suspicious',
    title: 'RTF document with a damaged signature',
    reason: 'The document starts in a way that Word accepts and that simple scanners do not recognise as RTF.',
    technique: 'T1036.008',
    article: {
      danger: 'Filters take the document for a plain text.',
      cause: 'Faulty programs that write RTF.',
      advice: DO_NOT_OPEN,
    },
  },
  listOverflow: {
    id: 'Docvet.Rtf.ListOverflow',
    severity: 'malicious',
    title: 'Attack on lists of Word (CVE-2014-1761)',
    reason: 'A list declares more levels to override than a list can have.',
    technique: 'T1203',
    article: {
      danger: 'Word without the update of 2014 runs the code in the document.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  fontOverflow: {
    id: 'Docvet.Rtf.FontOverflow',
    severity: 'malicious',
    title: 'Attack on fonts of Word (CVE-2023-21716)',
    reason: 'The font table has more fonts than Word can count.',
    technique: 'T1203',
    article: {
      danger: 'Word without the update of February 2023 runs the code in the document, even in the preview.',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  shapeOverflow: {
    id: 'Docvet.Rtf.ShapeOverflow',
    severity: 'malicious',
    title: 'Attack on shapes of Word (CVE-2010-3333)',
    reason: 'A property of a shape contains a long block of digits where it must have a list of numbers.',
    technique: 'T1203',
    article: {
      danger: 'Word without the update of 2010 runs the code in the document.',
      cause: null,
      advice: 'Do not open it.',
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
} as const satisfies Record<string, Definition>
