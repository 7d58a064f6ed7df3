/** Judges objects inside documents, in compound files, Office packages and RTF. */

import { RISKY_CLASSES } from '#inspect/catalogue/classes.ts'
import type { Definition } from '#inspect/catalogue/definition.ts'
import { OBJECTS } from '#inspect/catalogue/objects.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { RTF } from '#inspect/catalogue/rtf.ts'
import { type EquationKind, equationKind } from '#inspect/codecs/equation.ts'
import { monikersIn } from '#inspect/codecs/monikers.ts'
import { view } from '#inspect/core/bytes.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { RTF_OBJECT } from '#inspect/core/names.ts'
import { charge } from '#inspect/core/work.ts'
import { classifyTarget, reachOf } from '#inspect/targets/targets.ts'
import { kindOfExtension } from './extensions.ts'
import { targetDetail } from './links.ts'
import { isIntranetPage, judgeFileServer } from './references.ts'

/** The data of an Equation Editor object was judged. */
export const EQUATION = factType<EquationKind>('equation')

/** Whether the item is an object of an RTF document, or inside one. */
export function isInRtf(item: Item): boolean {
  for (let each: Item | null = item; each !== null; each = each.parent)
    if (each.path.at(-1) === RTF_OBJECT || each.sniffed.kind === 'rtf') return true
  return false
}

/** `data`: as for `equationKind`; null if the object has none that can be found. */
export function judgeEquation(item: Item, data: Uint8Array | null, context: Context): void {
  const kind = data === null ? 'odd' : equationKind(data)
  context.record(item, EQUATION, kind)
  if (kind === 'equation') context.addFinding(item, OBJECTS.equation)
  else if (isInRtf(item)) context.addFinding(item, RTF.equationEditor)
  else context.addFinding(item, kind === 'overflow' ? OBJECTS.equationExploit : OBJECTS.equationOdd)
}

/** Of 16 bytes, with hyphens: the first three numbers are stored with the low byte first. */
export function classIdOf(bytes: Buffer): string {
  const [first, second, third] = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)]
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
  const numbers = [hex(first, 8), hex(second, 4), hex(third, 4)]
  return [...numbers, bytes.toString('hex', 8, 10), bytes.toString('hex', 10, 16)].join('-')
}

/** `clsid`: in lower case, with hyphens. */
export function judgeClass(item: Item, clsid: string, context: Context): void {
  const found = RISKY_CLASSES.get(clsid)
  if (found === undefined) return
  if (found.risk === 'form' && !leadsToProgram(item.bytes)) return
  const isExploited =
    found.risk === 'malicious' ||
    (found.risk === 'rtf' && isInRtf(item)) ||
    (found.risk === 'browser' && (view(item.bytes).includes(SHORTCUT_CLASS) || leadsToProgram(item.bytes)))
  const detail = found.cves === '' ? found.name : `${found.name} (${found.cves})`
  context.addFinding(item, { ...(isExploited ? OBJECTS.exploitedClass : OBJECTS.riskyClass), detail })
}

/** The class of shortcuts, at the start of each. */
const SHORTCUT_CLASS = Buffer.from('0114020000000000c000000000000046', 'hex')
const ADDRESS = /(?:https?|file|ftp):[^\s"'<>\0]{1,2000}|\\\\[\w.-]{1,255}\\[^\s"'<>\0]{1,2000}/gi
const BYTE_WORK = 20

/** An address in ASCII or UTF-16. */
function leadsToProgram(bytes: Uint8Array): boolean {
  charge(bytes.length * BYTE_WORK)
  return [view(bytes).toString('latin1'), view(bytes).toString('latin1').replaceAll('\0', '')].some((text) =>
    [...text.matchAll(ADDRESS)].some(([address]) => {
      const extension = /\.([a-z0-9]{1,10})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? ''
      const { kind, host } = classifyTarget(address)
      if (kind === 'share' || (kind === 'webIp' && reachOf(host) !== 'company')) return true
      return kindOfExtension(extension)?.severity === 'malicious'
    }),
  )
}

/** Targets of a linked object, wherever its stream contains them. */
export function judgeMonikers(item: Item, bytes: Uint8Array, context: Context): void {
  for (const { kind, target } of monikersIn(bytes)) {
    const found = kind === 'script' ? OBJECTS.linkMoniker : linkFinding(target)
    if (found !== null) context.addFinding(item, { ...found, detail: targetDetail(target) })
  }
}

/** `target`: of an object that Office loads when the document is opened or the object is updated. */
export function linkFinding(target: string): Definition | null {
  const classified = classifyTarget(target)
  const { kind, isRemote, severity } = classified
  if (kind === 'script' || (kind === 'handler' && severity !== 'notice')) return OBJECTS.linkMoniker
  if (kind === 'share') {
    const found = judgeFileServer(classified, target)
    if (found === OFFICE.companyServer) return found
    return found === OFFICE.credentialLeak ? OBJECTS.linkMoniker : OBJECTS.linkShare
  }
  if (isIntranetPage(classified, target)) return OFFICE.companyServer
  return isRemote ? OBJECTS.linkMoniker : null
}
