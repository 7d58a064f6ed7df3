/** Findings about the structure of an archive. */

import type { NewFinding } from '#inspect/core/format.ts'

type Text = Omit<NewFinding, 'detail' | 'path'>

function text(
  id: string,
  severity: NewFinding['severity'],
  title: string,
  reason: string,
  technique: string | null,
): Text {
  return { id, severity, title, reason, technique }
}

const EXHAUSTION = 'T1499.004'
const OBFUSCATION = 'T1027'

export const ZIP_FINDINGS = {
  overlap: text(
    'Docvet.Bomb.Overlap',
    'malicious',
    'Archive entries overlap',
    'Several archive entries use the same bytes, which only decompression bombs do.',
    EXHAUSTION,
  ),
  shared: text(
    'Docvet.Bomb.SharedEntry',
    'malicious',
    'Archive entries share their data',
    'Several archive entries point to the same data, which only decompression bombs do.',
    EXHAUSTION,
  ),
  quine: text(
    'Docvet.Bomb.Quine',
    'malicious',
    'Archive contains itself',
    'Unpacking it recursively never ends. Such an archive has no other purpose.',
    EXHAUSTION,
  ),
  innerQuine: text(
    'Docvet.Zip.InnerQuine',
    'suspicious',
    'Inner archive contains itself',
    'Unpacking it recursively never ends. Programs that unpack everything fail on it.',
    EXHAUSTION,
  ),
  unlisted: text(
    'Docvet.Zip.HiddenEntry',
    'suspicious',
    'Hidden archive entry',
    'The archive contains an entry that its directory does not list. Not every program shows it.',
    OBFUSCATION,
  ),
  otherName: text(
    'Docvet.Zip.NameMismatch',
    'suspicious',
    'Archive entry with two names',
    'The archive directory and the entry have different names. Programs disagree on which one they use.',
    OBFUSCATION,
  ),
  duplicate: text(
    'Docvet.Zip.DuplicateName',
    'suspicious',
    'Two archive entries with the same name',
    'Programs disagree on which entry they open, so one can hide the other.',
    OBFUSCATION,
  ),
  before: text(
    'Docvet.Zip.DataBefore',
    'suspicious',
    'Data before the archive',
    'Data that is not part of the archive precedes it, so the file may also open as another type.',
    OBFUSCATION,
  ),
  after: text(
    'Docvet.Zip.DataAfter',
    'notice',
    'Data after the archive',
    'Data that is not part of the archive follows it.',
    null,
  ),
  traversal: text(
    'Docvet.Zip.PathTraversal',
    'suspicious',
    'Path traversal in the archive',
    'An entry name points outside the target folder, so unpacking can overwrite other files.',
    'T1574',
  ),
  link: text(
    'Docvet.Zip.SymbolicLink',
    'suspicious',
    'Symbolic link in the archive',
    'Unpacking creates a link through which later entries can be written outside the target folder.',
    'T1574',
  ),
} as const satisfies Record<string, Text>
