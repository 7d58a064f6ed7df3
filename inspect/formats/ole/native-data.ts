/** OLE 1 objects in compound files and RTF: the file in a package, a link, or other native data. */

import { OBJECTS } from '#inspect/catalogue/objects.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { decodeName, NATIVE_STREAM, RTF_OBJECT, safeName } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { type JudgedFile, judgeFile } from '#inspect/judge/files.ts'
import { targetDetail } from '#inspect/judge/links.ts'
import { EQUATION, judgeEquation, linkFinding } from '#inspect/judge/objects.ts'
import { type Ole1Object, type PackagedFile, readObject, readPackage } from './ole1.ts'

const SIZE_BYTES = 4
const EQUATION_CLASS = /^equation(?:\.|$)/i

export const nativeData: Format = {
  among: { members: true },
  applies: ({ path }) => isRtfObject(path) || NATIVE_STREAM.test(path.at(-1) ?? ''),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const object = isRtfObject(item.path) ? readObject(bytes) : null
    if (object !== null) judgeObject(item, object, context)
    inspectNative(item, object?.native ?? bytes.subarray(SIZE_BYTES), context)
  },
  conclude(item, facts, context) {
    const object = isRtfObject(item.path) ? readObject(view(item.bytes)) : null
    if (object !== null && isEquation(object) && facts.of(EQUATION).length === 0) judgeEquation(item, null, context)
  },
}

function isRtfObject(path: readonly string[]): boolean {
  return path.at(-1) === RTF_OBJECT
}

function isEquation({ className, kind }: Ole1Object): boolean {
  return kind === 'embedded' && EQUATION_CLASS.test(className)
}

function judgeObject(item: Item, object: Ole1Object, context: Context): void {
  // The equation in a compound file is judged there.
  if (isEquation(object) && !isOle2(object.native)) judgeEquation(item, object.native, context)
  if (object.kind !== 'linked') return
  const found = linkFinding(object.topic)
  if (found !== null) context.addFinding(item, { ...found, detail: targetDetail(object.topic) })
}

function inspectNative(item: Item, native: Buffer, context: Context): void {
  // Compound files are carved from any data.
  if (native.length === 0 || isOle2(native)) return
  const file = readPackage(native)
  if (file !== null) judgePackage(item, file, context)
  const data = file?.data ?? native
  if (file !== null && data.length < file.size)
    context.addObstacle(item, 'damaged', 'The file in the package is truncated.')
  if (data.length === 0 || !createPieceBudget(item, context)(data.length)) return
  context.inspectMember(item, file === null ? '(native data)' : safeName(decodeName(file.label)), data)
}

const isRisky = ({ severity }: JudgedFile): boolean => severity !== 'notice'

/** By each of its names: Windows uses the one of the copy that it makes, readers see the label. */
function judgePackage(item: Item, { label, path, command, isCommand, data }: PackagedFile, context: Context): void {
  const names = [label, path, command].map((name) => decodeName(name)).filter((name) => name !== '')
  const detail = safeName(names[0] ?? '')
  const target = decodeName(command)
  const link = isCommand ? linkFinding(target) : null
  if (link !== null) context.addFinding(item, { ...link, detail: targetDetail(target) })
  const judged = names.map((name) => judgeFile(name, data))
  const startsProgram = isCommand && (findCommand(decodeName(command)) !== null || judged.some(isRisky))
  if (startsProgram || judged.some(({ isDangerous }) => isDangerous))
    context.addFinding(item, { ...OBJECTS.packageProgram, detail })
  else if (judged.some(isRisky)) context.addFinding(item, { ...OBJECTS.packageLink, detail })
  else context.addFinding(item, { ...OBJECTS.packageFile, detail })
  if (judged.some(({ disguise }) => disguise !== null)) context.addFinding(item, { ...OBJECTS.packageName, detail })
}
