/** Unusual structures in ZIP archives. */

import type { Definition } from './definition.ts'

const OBFUSCATION = 'T1027'
const ASK = 'Ask the sender to pack the files again with an ordinary program, and compare what you get.'

export const ZIP = {
  innerQuine: {
    id: 'Docvet.Zip.InnerQuine',
    severity: 'suspicious',
    title: 'Inner archive contains itself',
    reason: 'Unpacking it recursively never ends. Programs that unpack everything fail on it.',
    technique: 'T1499.004',
    article: {
      danger: 'A scanner that unpacks everything never finishes, or gives up and lets the rest pass.',
      cause: 'Collections of test files for archive programs contain it.',
      advice: 'Delete it unless you collect such test files.',
    },
  },
  unlisted: {
    id: 'Docvet.Zip.HiddenEntry',
    severity: 'suspicious',
    title: 'Hidden archive entry',
    reason: 'The archive contains an entry that its directory does not list. Not every program shows it.',
    technique: OBFUSCATION,
    article: {
      danger: 'A file that a scanner or a person does not see may still be unpacked by another program.',
      cause: 'Some programs leave replaced files in the archive when they update it.',
      advice: ASK,
    },
  },
  otherName: {
    id: 'Docvet.Zip.NameMismatch',
    severity: 'suspicious',
    title: 'Archive entry with two names',
    reason: 'The archive directory and the entry have different names. Programs disagree on which one they use.',
    technique: OBFUSCATION,
    article: {
      danger: 'A program can appear as a harmless document in one program and be unpacked as a program by another.',
      cause: 'Old programs wrote names with umlauts or other special characters in two encodings.',
      advice: ASK,
    },
  },
  duplicate: {
    id: 'Docvet.Zip.DuplicateName',
    severity: 'suspicious',
    title: 'Two archive entries with the same name',
    reason: 'Programs disagree on which entry they open, so one can hide the other.',
    technique: OBFUSCATION,
    article: {
      danger: 'A scanner may read the harmless entry while your program opens the other one.',
      cause: 'Faulty programs and build scripts add the same file twice.',
      advice: ASK,
    },
  },
  before: {
    id: 'Docvet.Zip.DataBefore',
    severity: 'suspicious',
    title: 'Data before the archive',
    reason: 'Data that is not part of the archive precedes it, so the file may also open as another type.',
    technique: OBFUSCATION,
    article: {
      danger: 'One file can be a harmless picture for one program and an archive with a program for another.',
      cause: 'Self-extracting archives begin with a program, and some mail gateways put a text before the archive.',
      advice: ASK,
    },
  },
  after: {
    id: 'Docvet.Zip.DataAfter',
    severity: 'notice',
    title: 'Data after the archive',
    reason: 'Data that is not part of the archive follows it.',
    technique: null,
    article: {
      danger: 'Data that ordinary programs ignore can be read by a program that knows where to look.',
      cause: 'Digital signatures, padding and faulty downloads leave data after the archive.',
      advice: 'Nothing has to be done. The data was scanned as well.',
    },
  },
  traversal: {
    id: 'Docvet.Zip.PathTraversal',
    severity: 'suspicious',
    title: 'Path traversal in the archive',
    reason: 'An entry name points outside the target folder, so unpacking can overwrite other files.',
    technique: 'T1574',
    article: {
      danger: 'A careless program writes the file to a folder of its choice, such as the startup folder.',
      cause: 'Backups may contain absolute paths.',
      advice: 'Unpack it only with a program that rejects such names, or ask for a new archive.',
    },
  },
  reversedName: {
    id: 'Docvet.Zip.ReversedName',
    severity: 'malicious',
    title: 'Program whose name is shown backwards',
    reason: 'The name of a program or script contains a character that reverses the text, which hides its extension.',
    technique: 'T1036.002',
    article: {
      danger: 'The program looks like a document or picture, and runs when it is opened.',
      cause: null,
      advice: 'Do not unpack it.',
    },
  },
  link: {
    id: 'Docvet.Zip.SymbolicLink',
    severity: 'suspicious',
    title: 'Symbolic link in the archive',
    reason: 'Unpacking creates a link through which later entries can be written outside the target folder.',
    technique: 'T1574',
    article: {
      danger: 'Entries written through the link overwrite files elsewhere, and reading the link discloses other files.',
      cause: 'Archives of program sources contain symbolic links.',
      advice: 'Accept it from people who send source code. Otherwise ask for an archive without links.',
    },
  },
} as const satisfies Record<string, Definition>
