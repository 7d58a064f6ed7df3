/** What can hold or be a program although no analyser unpacks it: other archives, and executables of any system. */

import { view } from '../bytes.ts'
import { roleOf } from '../magic.ts'
import { binaryType } from '../sniff.ts'
import type { Format, Item, Seen, Visit } from '../visit.ts'
import { readCabinet } from './cab/cabinet.ts'

const OWN_FORMAT = new Set(['application/gzip', 'application/x-tar', 'application/x-7z-compressed'])

const CABINET = 'application/vnd.ms-cab-compressed'

export function notUnpacked(type: string | null): string {
  return `It is an archive of a kind that is not unpacked (${type}).`
}

export const foreignArchive: Format = {
  applies: ({ bytes }) => {
    const type = binaryType(bytes) ?? ''
    return roleOf(type) === 'archive' && !OWN_FORMAT.has(type) && !(type === CABINET && readCabinet(bytes) !== null)
  },
  analyse(item, visit) {
    visit.hinder(item, 'too_complex', notUnpacked(binaryType(item.bytes)))
  },
}

/** The whole item is a program. */
export const executable: Format = {
  applies: ({ bytes }) => isExecutable(bytes),
  analyse(item, visit) {
    const type = binaryType(item.bytes) ?? ''
    if (type === 'application/x-ms-shortcut') visit.find(item, { ...SHORTCUT, detail: null })
    else program(item, visit, type)
  },
}

function isExecutable(bytes: Uint8Array): boolean {
  return roleOf(binaryType(bytes) ?? '') === 'executable'
}

const SHORTCUT: Seen = {
  id: 'Docvet.Embedded.Shortcut',
  severity: 'malicious',
  title: 'Windows shortcut inside the document',
  reason: 'A shortcut starts whatever command its author wrote into it. Documents have no use for one.',
  technique: 'T1204.002',
  detail: null,
}

function program(item: Item, visit: Visit, type: string): void {
  const packed = isPackedProgram(item)
  visit.find(item, {
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
export const hiddenProgram: Format = {
  applies: ({ bytes }) => !isExecutable(bytes),
  analyse(item, visit) {
    if (findProgram(item.bytes) !== -1) program(item, visit, 'application/vnd.microsoft.portable-executable')
  },
}

const PE = Buffer.from('PE\0\0', 'latin1')
const MACHINES = new Set([0x14c, 0x8664, 0x1c0, 0x1c4, 0xaa64, 0x200])

/** Where a Windows program begins, or -1. */
export function findProgram(source: Uint8Array): number {
  const bytes = view(source)
  const last = bytes.lastIndexOf(PE)
  // Byte by byte, because a call for each `MZ` would take minutes where there is nothing else.
  for (let at = 0; at < last; at++)
    if (bytes[at] === 0x4d && bytes[at + 1] === 0x5a && isProgramAt(bytes, at)) return at
  return -1
}

/** `MZ` is two bytes that occur everywhere. That they lead to `PE` and a known machine does not occur by chance. */
function isProgramAt(bytes: Buffer, at: number): boolean {
  if (at + 0x40 > bytes.length) return false
  const header = at + bytes.readUInt32LE(at + 0x3c)
  if (header - at < 4 || header + 6 > bytes.length) return false
  return bytes.readUInt32LE(header) === 0x4550 && MACHINES.has(bytes.readUInt16LE(header + 4))
}
