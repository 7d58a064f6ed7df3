/** OLE 1 objects in compound files and RTF: the file in a package, or other native data. */

import { readCompound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item, NewFinding } from '#inspect/core/format.ts'
import { decodeName, NATIVE_STREAM, RTF_OBJECT, safeName } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'

const SIZE_BYTES = 4

export const nativeData: Format = {
  applies: ({ path }) => isRtfObject(path) || NATIVE_STREAM.test(path.at(-1) ?? ''),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const object = isRtfObject(item.path) ? readObject(bytes) : null
    if (object !== null && isEquation(object)) context.addFinding(item, EQUATION)
    inspectNative(item, object?.native ?? bytes.subarray(SIZE_BYTES), context)
  },
}

function isRtfObject(path: readonly string[]): boolean {
  return path.at(-1) === RTF_OBJECT
}

function inspectNative(item: Item, native: Buffer, context: Context): void {
  // Compound files are carved from any data.
  if (native.length === 0 || isOle2(native)) return
  const file = readPackage(native)
  const data = file?.data ?? native
  if (file !== null && data.length < file.size)
    context.addObstacle(item, 'damaged', 'The file in the package is truncated.')
  if (data.length === 0 || !createPieceBudget(item, context)(data.length)) return
  context.inspectMember(item, file === null ? '(native data)' : safeName(decodeName(file.name)), data)
}

interface EmbeddedObject {
  className: string
  native: Buffer
}

const EMBEDDED = 2
/** Class, topic and item. */
const NAMES = 3
/** Long enough for every class name that is compared. */
const CLASS_BYTES_MAX = 64

/** [MS-OLEDS] 2.2.5. null: not an embedded object. Ignores the version, as Word does. */
function readObject(bytes: Buffer): EmbeddedObject | null {
  if (bytes.length < 8 || bytes.readUInt32LE(4) !== EMBEDDED) return null
  let className = ''
  let at = 8
  for (let i = 0; i < NAMES; i++) {
    if (at + 4 > bytes.length) return i === 0 ? null : { className, native: Buffer.alloc(0) }
    const end = at + 4 + bytes.readUInt32LE(at)
    if (i === 0) className = bytes.toString('latin1', at + 4, Math.min(end, bytes.length, at + 4 + CLASS_BYTES_MAX))
    at = end
  }
  if (at + 4 > bytes.length) return { className, native: Buffer.alloc(0) }
  return { className, native: bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)) }
}

interface PackagedFile {
  name: Buffer
  /** Shorter than `size` if truncated. */
  data: Buffer
  size: number
}

const KIND_BYTES = 2
const ICON_BYTES = 2
const EMBEDDED_FILE = 3

/** null: not a package, or one that only contains a command. */
function readPackage(native: Buffer): PackagedFile | null {
  const labelEnd = native.indexOf(0, KIND_BYTES)
  const pathEnd = labelEnd === -1 ? -1 : native.indexOf(0, labelEnd + 1)
  const kindAt = pathEnd + 1 + ICON_BYTES
  if (pathEnd === -1 || kindAt + 6 > native.length || native.readUInt16LE(kindAt) !== EMBEDDED_FILE) return null
  const sizeAt = kindAt + 6 + native.readUInt32LE(kindAt + 2)
  if (sizeAt + 4 > native.length) return null
  const size = native.readUInt32LE(sizeAt)
  const data = native.subarray(sizeAt + 4, sizeAt + 4 + size)
  return { name: native.subarray(KIND_BYTES, labelEnd), data, size }
}

/** {0002CE02-0000-0000-C000-000000000046}, as stored in the directory of a compound file. */
const EQUATION_CLSID = '02ce020000000000c000000000000046'

function isEquation({ className, native }: EmbeddedObject): boolean {
  if (/^equation\.[23]/i.test(className)) return true
  const entries = isOle2(native) ? readCompound(native)?.entries : undefined
  return entries?.find(({ root }) => root)?.clsid === EQUATION_CLSID
}

const EQUATION: NewFinding = {
  id: 'Docvet.Rtf.EquationEditor',
  severity: 'malicious',
  title: 'Equation Editor object in an RTF document',
  reason:
    'The object opens in the Equation Editor, which has known vulnerabilities (CVE-2017-11882) and is used by attacks.',
  technique: 'T1203',
  detail: null,
}
