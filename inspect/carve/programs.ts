/** What can hold or be a program although no analyser unpacks it: other archives, and executables of any system. */

import type { Context, Format, Item, NewFinding } from '#inspect/core/format.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType } from '#inspect/detect/sniff.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'

/** The whole item is a program. */
export const executable: Format = {
  applies: ({ bytes }) => isExecutable(bytes),
  analyse(item, context) {
    const type = binaryType(item.bytes) ?? ''
    if (type === 'application/x-ms-shortcut') context.addFinding(item, { ...SHORTCUT, detail: null })
    else program(item, context, type)
  },
}

function isExecutable(bytes: Uint8Array): boolean {
  return roleOf(binaryType(bytes) ?? '') === 'executable'
}

const SHORTCUT: NewFinding = {
  id: 'Docvet.Embedded.Shortcut',
  severity: 'malicious',
  title: 'Windows shortcut inside the document',
  reason: 'A shortcut starts whatever command its author wrote into it. Documents have no use for one.',
  technique: 'T1204.002',
  detail: null,
}

function program(item: Item, context: Context, type: string): void {
  const packed = isPackedProgram(item)
  context.addFinding(item, {
    id: packed ? 'Docvet.Archive.Executable' : 'Docvet.Embedded.Executable',
    severity: packed ? 'suspicious' : 'malicious',
    title: packed ? 'Program in the archive' : 'Program inside the document',
    reason: packed
      ? 'The archive contains a program, among other files.'
      : 'The document carries a program that runs when it is opened. Documents have no use for one.',
    technique: 'T1027.009',
    detail: type,
  })
}

const DISGUISED =
  /\.(?:pdf|docx?|xlsx?|pptx?|rtf|txt|csv|html?|jpe?g|png|gif|zip)(?:[\s_.]*\.(?:exe|scr|com|pif|dll|cpl))?$/i

/** A program under its own name, beside other files, in archives that are nothing but archives: software is sent so. */
function isPackedProgram({ path, parent, alone }: Item): boolean {
  if (parent === null || alone || DISGUISED.test(path.at(-1) ?? '')) return false
  for (let outer: Item | null = parent; outer !== null; outer = outer.parent) {
    if (outer.sniffed.kind !== 'zip' && roleOf(outer.sniffed.type) !== 'archive') return false
  }
  return true
}

/** A Windows program somewhere in the bytes: appended, in front, or stored in a stream. */
export const embeddedProgram: Format = {
  applies: ({ bytes }) => !isExecutable(bytes),
  analyse(item, context) {
    if (findProgram(item.bytes) !== -1) program(item, context, 'application/vnd.microsoft.portable-executable')
  },
}
