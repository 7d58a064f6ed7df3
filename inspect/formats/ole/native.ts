/** What objects of OLE 1 carry: the file in a Package, wherever the object stands in a compound file or in RTF. */

import { readCompound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item, NewFinding } from '#inspect/core/format.ts'
import { decodeName, RTF_OBJECT, safeName } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { readOle1, readPackage } from './package.ts'

const NATIVE_STREAM = /ole10native$/i
const SIZE_BYTES = 4

export const nativeData: Format = {
  applies: ({ path }) => isRtfObject(path) || NATIVE_STREAM.test(path.at(-1) ?? ''),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const object = isRtfObject(item.path) ? readOle1(bytes) : null
    if (object !== null && isEquation(object.className, object.native)) context.addFinding(item, EQUATION)
    look(item, object?.native ?? bytes.subarray(SIZE_BYTES), context)
  },
}

function isRtfObject(path: readonly string[]): boolean {
  return path.at(-1) === RTF_OBJECT
}

function look(item: Item, native: Buffer, context: Context): void {
  // Compound files are looked for wherever they stand.
  if (native.length === 0 || isOle2(native)) return
  const file = readPackage(native)
  const data = file?.data ?? native
  if (file !== null && data.length < file.size)
    context.addObstacle(item, 'damaged', 'The file in the package is truncated.')
  if (data.length === 0 || !createPieceBudget(item, context)(data.length)) return
  context.inspectMember(item, file === null ? '(native data)' : safeName(decodeName(file.name)), data)
}

/** The class of the Equation Editor, as in the directory of a compound file: {0002CE02-0000-0000-C000-000000000046}. */
const EQUATION_CLSID = '02ce020000000000c000000000000046'

function isEquation(className: string, native: Buffer): boolean {
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
