/** Objects in the storages of a compound file: their classes, links and equations. */

import { OBJECTS } from '#inspect/catalogue/objects.ts'
import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { equationKind } from '#inspect/codecs/equation.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { NATIVE_STREAM } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { classIdOf, isInRtf, judgeClass, judgeEquation, judgeMonikers } from '#inspect/judge/objects.ts'

const EQUATION_CLASSES = new Set([
  '0002ce02-0000-0000-c000-000000000046',
  '00021700-0000-0000-c000-000000000046',
  '0003000b-0000-0000-c000-000000000046',
  '0004a6b0-0000-0000-c000-000000000046',
])
const NO_CLASS = '0'.repeat(32)
/** Installers are compound files of their own; only inside another document they are an object. */
const INSTALLER = /^000c108[246]-/
const SIZE_BYTES = 4
const ENTRY_WORK = 1_000

export function judgeObjects(item: Item, compound: Compound, context: Context): void {
  const equations = new Set<OleEntry>()
  for (const entry of compound.entries) {
    charge(ENTRY_WORK)
    if (entry.storage || entry.root) {
      const clsid = classId(entry)
      if (!(INSTALLER.test(clsid) && item.path.length === 0)) judgeClass(item, clsid, context)
      if (EQUATION_CLASSES.has(clsid)) equations.add(entry)
    } else judgeStream(item, compound, entry, context)
  }
  judgeEmptyEquations(item, compound, equations, context)
}

function judgeStream(item: Item, compound: Compound, entry: OleEntry, context: Context): void {
  const { name, parent } = entry
  if (name === '\x01Ole') judgeMonikers(item, compound.read(entry).bytes, context)
  else if (/^equation native$/i.test(name)) judgeEquation(item, compound.read(entry).bytes, context)
  else if (NATIVE_STREAM.test(name) && parent !== null && EQUATION_CLASSES.has(classId(parent)))
    judgeNativeEquation(item, compound.read(entry).bytes.subarray(SIZE_BYTES), context)
  else if (name.toLowerCase() === 'contents' && overflowsControl(view(compound.read(entry).bytes)))
    context.addFinding(item, { ...OBJECTS.exploitedClass, detail: 'CVE-2012-0158' })
  else if (name === '\x03OCXNAME' || name === '\x03OCXDATA') context.addFinding(item, OBJECTS.activeX)
}

/** In the data of a common control, such as ListView: signature, version and the size of the next field, which is always 8. */
const CONTROL_FIELD = Buffer.from('436f626a64000000', 'hex')
const CONTROL_FIELD_BYTES = 8
const SEARCH_WORK = 2

/** The control copies as many bytes as the size says into eight bytes of the stack. */
function overflowsControl(bytes: Buffer): boolean {
  charge(bytes.length * SEARCH_WORK)
  const at = bytes.indexOf(CONTROL_FIELD)
  const sizeAt = at + CONTROL_FIELD.length
  return at !== -1 && sizeAt + 4 <= bytes.length && bytes.readUInt32LE(sizeAt) > CONTROL_FIELD_BYTES
}

/** Some programs store the preview of an equation here, which is no equation. */
function judgeNativeEquation(item: Item, data: Uint8Array, context: Context): void {
  if (isInRtf(item) || equationKind(data) !== 'odd') judgeEquation(item, data, context)
}

/** In RTF, an object of the Equation Editor without data that can be read is an attack. Damaged documents have it elsewhere. */
function judgeEmptyEquations(item: Item, { entries }: Compound, equations: Set<OleEntry>, context: Context): void {
  if (equations.size === 0 || !isInRtf(item)) return
  for (const { name, parent } of entries)
    if (parent !== null && (/^equation native$/i.test(name) || NATIVE_STREAM.test(name))) equations.delete(parent)
  if (equations.size > 0) judgeEquation(item, null, context)
}

function classId({ clsid }: OleEntry): string {
  return clsid === NO_CLASS ? '' : classIdOf(Buffer.from(clsid, 'hex'))
}
