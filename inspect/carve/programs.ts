/** Finds programs: as a whole item, or inside other data. */

import { PROGRAMS } from '#inspect/catalogue/programs.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType } from '#inspect/detect/sniff.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'
import { isPlainlyPacked } from '#inspect/judge/containers.ts'
import { isPaperName } from '#inspect/judge/papers.ts'
import { IMAGES, IMITATED, INSTALLERS, RUNNABLE } from '#inspect/windows/extensions.ts'
import { OF_SYSTEM } from '#inspect/windows/libraries.ts'

/** The whole item is a program. */
export const executable: Format = {
  among: { binary: true },
  applies: ({ bytes }) => isExecutable(bytes),
  analyse(item, context) {
    // Shortcuts are judged by what they open.
    const type = binaryType(item.bytes) ?? ''
    if (type !== 'application/x-ms-shortcut') program(item, context, type)
  },
}

function isExecutable(bytes: Uint8Array): boolean {
  return roleOf(binaryType(bytes) ?? '') === 'executable'
}

function program(item: Item, context: Context, type: string): void {
  if (isPackedProgram(item)) context.record(item, PACKED, placeOf(item))
  context.addFinding(item, { ...(isPackedProgram(item) ? PROGRAMS.packed : PROGRAMS.executable), detail: type })
}

/** Names that hide what the file is, and extensions that only attackers still use for programs. */
const DISGUISED = anyCase`\.(?:scr|pif)$|\.${IMITATED}(?:[\s_.]*\.${RUNNABLE})?$`

/** A program under its own name, among other files, in plain archives: how software is distributed. */
function isPackedProgram(item: Item): boolean {
  const { path, parent, alone } = item
  return parent !== null && !alone && !DISGUISED.test(path.at(-1) ?? '') && isPlainlyPacked(item)
}

interface Place {
  folder: string
  name: string
}

const PACKED = factType<Place>('packedProgram')

/** In archives within each other, a folder of each. */
function placeOf({ path }: Item): Place {
  const [name = '', ...folders] = path.join('/').split(/[\\/]/).reverse()
  return { folder: folders.join('/'), name }
}

const LIBRARY = anyCase`^${OF_SYSTEM}\.dll$`
const STARTED = anyCase`\.${IMAGES}$`
/** Software has no name of so many words. */
const WORDS_MIN = 5

function isNamedAsDocument(name: string): boolean {
  const [, title = ''] = /^(.*)\.\w+$/.exec(name) ?? []
  return isPaperName(title) || title.split(/[\s_-]+/).filter((word) => /^\p{L}{2,}$/u.test(word)).length >= WORDS_MIN
}

/** A program of somebody else under the name of a document, which loads a library of Windows from its own folder. */
export const sideLoading: Format = {
  among: { binary: true },
  applies: ({ sniffed }) => sniffed.kind === 'zip' || roleOf(sniffed.type) === 'archive',
  analyse() {},
  conclude(item, facts, context) {
    const programs = facts.of(PACKED)
    charge(programs.length * PROGRAM_WORK)
    const folders = new Set(programs.filter(({ value }) => LIBRARY.test(value.name)).map(({ value }) => value.folder))
    const found = programs.find(
      ({ value: { folder, name } }) => folders.has(folder) && STARTED.test(name) && isNamedAsDocument(name),
    )
    if (found !== undefined) context.addFinding(item, { ...PROGRAMS.executable, detail: null })
  },
}

/** For each program of an archive. */
const PROGRAM_WORK = 3_000

const INSTALLER = anyCase`\.${IMITATED}[\s_.]*\.${INSTALLERS}[.\s]*$`

/** `Invoice.pdf.jar`: among files, only the disguise tells it from software. */
export const disguisedInstaller: Format = {
  among: { names: INSTALLER },
  applies: ({ name, sniffed }) => INSTALLER.test(name ?? '') && sniffed.kind !== 'text',
  analyse(item, context) {
    context.addFinding(item, { ...PROGRAMS.executable, detail: null })
  },
}

const PROGRAM_HEADER = mark(['PE\0\0'])

/** A Windows program before, inside or after other data. */
export const embeddedProgram: Format = {
  among: { marks: [PROGRAM_HEADER] },
  applies: (item) => item.has(PROGRAM_HEADER) && !isExecutable(item.bytes),
  analyse(item, context) {
    if (findProgram(item.bytes) !== -1) program(item, context, 'application/vnd.microsoft.portable-executable')
  },
}
