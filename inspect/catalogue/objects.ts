/** Findings about objects inside documents: packages, links, equations and controls. */

import type { Definition } from './definition.ts'

const DO_NOT_OPEN = 'Do not open it. If you expected it, ask the sender for a copy without the object.'

export const OBJECTS = {
  packageProgram: {
    id: 'Docvet.Ole.PackageProgram',
    severity: 'malicious',
    title: 'Attached program, script or shortcut',
    reason: 'An object in the document contains or starts a program, a script or a shortcut.',
    technique: 'T1204.002',
    article: {
      danger: 'A double-click on the object starts it, although it looks like an icon in the text.',
      cause: 'Support staff sometimes attach a tool to a document.',
      advice: DO_NOT_OPEN,
    },
  },
  packageLink: {
    id: 'Docvet.Ole.PackageLink',
    severity: 'suspicious',
    title: 'Attached file that can run code',
    reason: 'An object in the document contains a link file, a disk image or another file that can lead to a program.',
    technique: 'T1204.002',
    article: {
      danger: 'Opening the attached file leads to a program or a server without the warnings for programs.',
      cause: 'Bookmarks and source files are sometimes attached.',
      advice: 'Ask the sender what the attached file is for.',
    },
  },
  packageName: {
    id: 'Docvet.Ole.PackageName',
    severity: 'suspicious',
    title: 'Attached file with a misleading name',
    reason: 'The name of the attached file hides its true extension.',
    technique: 'T1036.007',
    article: {
      danger: 'The reader takes a program for a document.',
      cause: null,
      advice: DO_NOT_OPEN,
    },
  },
  packageFile: {
    id: 'Docvet.Ole.PackageFile',
    severity: 'notice',
    title: 'Attached file',
    reason: 'An object in the document contains a file.',
    technique: 'T1204.002',
    article: {
      danger: 'None by itself: the attached file was inspected as well.',
      cause: 'Texts, pictures and archives are attached to documents.',
      advice: 'Open the attached file only if you expected it.',
    },
  },
  linkMoniker: {
    id: 'Docvet.Ole.LinkMoniker',
    severity: 'malicious',
    title: 'Object linked to a server or a script',
    reason: 'An object is loaded from an address, or through a class that runs scripts, when the document is opened.',
    technique: 'T1203',
    article: {
      danger: 'The server delivers a page or script that Office runs, as in CVE-2017-0199 and CVE-2017-8759.',
      cause: null,
      advice: DO_NOT_OPEN,
    },
  },
  linkShare: {
    id: 'Docvet.Ole.LinkShare',
    severity: 'suspicious',
    title: 'Object linked to a file server',
    reason: 'An object is loaded from a file server when it is updated.',
    technique: 'T1187',
    article: {
      danger: 'The file server receives the credentials of the reader as a hash.',
      cause: 'Documents made inside a company link to workbooks on its file servers.',
      advice: 'Decline the update unless the server belongs to your company.',
    },
  },
  equation: {
    id: 'Docvet.Ole.Equation',
    severity: 'notice',
    title: 'Equation of the old Equation Editor',
    reason: 'The document contains an equation of a program that Microsoft removed from Office.',
    technique: 'T1203',
    article: {
      danger: 'None by itself: the data is an ordinary equation.',
      cause: 'Documents from schools and universities before 2007.',
      advice: 'Nothing has to be done.',
    },
  },
  equationOdd: {
    id: 'Docvet.Ole.EquationOdd',
    severity: 'suspicious',
    title: 'Equation Editor object without an equation',
    reason: 'An object of the Equation Editor contains data that is no equation.',
    technique: 'T1203',
    article: {
      danger: 'Attacks on the Equation Editor (CVE-2017-11882, CVE-2018-0802) are built in this way.',
      cause: 'Damaged documents.',
      advice: 'Ask the sender for a copy as PDF.',
    },
  },
  equationExploit: {
    id: 'Docvet.Ole.EquationExploit',
    severity: 'malicious',
    title: 'Attack on the Equation Editor',
    reason: 'An equation has a font name or a matrix larger than the memory that the Equation Editor reserves for it.',
    technique: 'T1203',
    article: {
      danger: 'The old Equation Editor runs the code in the equation when the document is opened (CVE-2017-11882).',
      cause: null,
      advice: 'Do not open it.',
    },
  },
  activeX: {
    id: 'Docvet.Ole.ActiveX',
    severity: 'notice',
    title: 'ActiveX controls',
    reason: 'The document contains controls, such as buttons and fields of a form.',
    technique: 'T1204.002',
    article: {
      danger: 'Controls can run macros of the document.',
      cause: 'Forms.',
      advice: 'Enable the content only if you know the form.',
    },
  },
  riskyClass: {
    id: 'Docvet.Ole.RiskyClass',
    severity: 'suspicious',
    title: 'Object of a class with known vulnerabilities',
    reason: 'An object or control belongs to a class through which attacks have run code.',
    technique: 'T1203',
    article: {
      danger: 'Loading the object can run code on computers without the current updates.',
      cause: 'Old forms use the common controls, and old presentations contain Flash films.',
      advice: 'Ask the sender for a copy as PDF.',
    },
  },
  exploitedClass: {
    id: 'Docvet.Ole.ExploitedClass',
    severity: 'malicious',
    title: 'Object of a class that runs code',
    reason:
      'An object belongs to a class that runs scripts or programs, or that only attacks use in this type of document.',
    technique: 'T1203',
    article: {
      danger: 'Loading the object runs code that the author of the document chose.',
      cause: null,
      advice: 'Do not open it.',
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
