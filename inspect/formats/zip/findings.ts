/** What can be wrong with an archive as such, in words. */

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
    'Several entries of the archive use the same bytes. Only decompression bombs are built so.',
    EXHAUSTION,
  ),
  shared: text(
    'Docvet.Bomb.SharedEntry',
    'malicious',
    'Archive entries share their data',
    'Several entries of the archive point to the same data. Only decompression bombs are built so.',
    EXHAUSTION,
  ),
  quine: text(
    'Docvet.Bomb.Quine',
    'malicious',
    'The archive contains itself',
    'Unpacking it again and again never ends. Such an archive has no other purpose.',
    EXHAUSTION,
  ),
  innerQuine: text(
    'Docvet.Zip.InnerQuine',
    'suspicious',
    'An archive inside contains itself',
    'Unpacking it again and again never ends. Programs that unpack everything fail on it.',
    EXHAUSTION,
  ),
  hidden: text(
    'Docvet.Zip.HiddenEntry',
    'suspicious',
    'Hidden archive entry',
    'The archive holds an entry that its directory does not list. Programs disagree on whether they see it.',
    OBFUSCATION,
  ),
  otherName: text(
    'Docvet.Zip.NameMismatch',
    'suspicious',
    'Archive entry with two names',
    'The directory of the archive and the entry itself give different names. Programs disagree on which one they use.',
    OBFUSCATION,
  ),
  duplicate: text(
    'Docvet.Zip.DuplicateName',
    'suspicious',
    'Two archive entries with the same name',
    'Programs disagree on which of the two they open, so one can hide the other.',
    OBFUSCATION,
  ),
  before: text(
    'Docvet.Zip.DataBefore',
    'suspicious',
    'Data in front of the archive',
    'The archive begins with data that is no part of it. It may open as something else, too.',
    OBFUSCATION,
  ),
  after: text(
    'Docvet.Zip.DataAfter',
    'notice',
    'Data behind the archive',
    'The archive is followed by data that is no part of it.',
    null,
  ),
  traversal: text(
    'Docvet.Zip.PathTraversal',
    'suspicious',
    'Archive entry that leaves its folder',
    'The name of an entry leads out of the folder it is unpacked to, so unpacking can overwrite other files.',
    'T1574',
  ),
  link: text(
    'Docvet.Zip.SymbolicLink',
    'suspicious',
    'Symbolic link in the archive',
    'Unpacking it makes a link, through which later entries can be written elsewhere.',
    'T1574',
  ),
} as const satisfies Record<string, Text>
