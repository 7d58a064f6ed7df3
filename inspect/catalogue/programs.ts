/** Programs inside documents and archives, and the test file of scanners. */

import type { Definition } from './definition.ts'

const RUNS = 'When the program is opened, it can do everything that you can do on your computer.'
const IN_DATA = 'T1027.009'

export const PROGRAMS = {
  executable: {
    id: 'Docvet.Embedded.Executable',
    severity: 'malicious',
    title: 'Program inside the document',
    reason: 'The document contains a program that runs when opened. Legitimate documents do not contain one.',
    technique: IN_DATA,
    article: {
      danger: `${RUNS} Attackers put programs into documents because mail systems block programs alone.`,
      cause: 'Support staff sometimes attach a small tool to a document.',
      advice: 'Do not open it. If you expect a program, get it from the site of its maker.',
    },
  },
  packed: {
    id: 'Docvet.Archive.Executable',
    severity: 'suspicious',
    title: 'Program in the archive',
    reason: 'The archive contains a program among other files.',
    technique: IN_DATA,
    article: {
      danger: RUNS,
      cause: 'Software is distributed in archives.',
      advice: 'Run it only if you asked for this software and trust its source.',
    },
  },
  shortcut: {
    id: 'Docvet.Embedded.Shortcut',
    severity: 'malicious',
    title: 'Windows shortcut inside the document',
    reason: 'A shortcut can start any command. Legitimate documents do not contain one.',
    technique: 'T1204.002',
    article: {
      danger: 'A shortcut can look like a document or folder, and a double-click starts the command in it.',
      cause: null,
      advice: 'Do not open it. Delete the document or archive.',
    },
  },
  start: {
    id: 'Docvet.Embedded.ProgramStart',
    severity: 'suspicious',
    title: 'Program header inside the document',
    reason: 'The document contains the header of a Windows program.',
    technique: IN_DATA,
    article: {
      danger: 'A macro, a script or an exploit can take the program out of the document and start it.',
      cause: 'Cut attachments, backups of mail and texts about programs contain such a header.',
      advice: 'Ask the sender why the document contains a program before you open it.',
    },
  },
  encoded: {
    id: 'Docvet.Embedded.EncodedExecutable',
    severity: 'suspicious',
    title: 'Program in Base64',
    reason: 'The text contains a Windows program in Base64.',
    technique: IN_DATA,
    article: {
      danger: 'Scripts and web pages carry programs as text, because text passes filters.',
      cause: 'Documents of developers, configuration files and saved mail contain programs as text.',
      advice: 'Accept it from developers who explain it. Otherwise do not open it.',
    },
  },
  eicar: {
    id: 'Docvet.Test.Eicar',
    severity: 'malicious',
    title: 'EICAR test file',
    reason: 'The document contains the EICAR test string. It is harmless; scanners report it to show that they work.',
    technique: null,
    article: {
      danger: 'None. The string was agreed on by makers of scanners to test them.',
      cause: 'Somebody tests a scanner.',
      advice: 'Nothing has to be done: the scanner works.',
    },
  },
} as const satisfies Record<string, Definition>
