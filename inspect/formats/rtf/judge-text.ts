/** Judges what an RTF document loads: fields, templates, object classes, and known exploits. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { RTF } from '#inspect/catalogue/rtf.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { judgeField } from '#inspect/judge/fields.ts'
import { createLinkJudge, targetDetail } from '#inspect/judge/links.ts'
import { EQUATION } from '#inspect/judge/objects.ts'
import { judgeReference } from '#inspect/judge/references.ts'
import { isDecimal } from './control-words.ts'
import { judgeLinkTexts } from './link-texts.ts'
import type { RtfText } from './text.ts'

/** The class name of an object, before its data. */
const OBJECT_CLASS = factType<string>('RTF object class')

const TEXT_WORK = 3_000
const CLASS_MAX = 64
/** Lists have nine levels. The exploit declares 25 or more. */
const LIST_OVERRIDES_MAX = 24

export function judgeText(item: Item, { captured, watched }: RtfText, context: Context): void {
  const links = createLinkJudge(item, context)
  for (const { destination, text } of captured) {
    charge(TEXT_WORK)
    if (destination === 'template') judgeTemplate(item, text.trim(), context)
    else if (destination === 'objclass') context.record(item, OBJECT_CLASS, text.slice(0, CLASS_MAX).trim())
    else {
      const found = judgeField(text, RTF.ddeField, links.add)
      if (found !== null) context.addFinding(item, { ...found.definition, detail: found.detail })
    }
  }
  links.finish()
  judgeLinkTexts(item, context)
  if (watched.has('objupdate')) context.addFinding(item, RTF.objectUpdate)
  if ((watched.get('listoverridecount') ?? 0) > LIST_OVERRIDES_MAX) context.addFinding(item, RTF.listOverflow)
}

/** Findings of RTF in place of those of Office packages. */
const TEMPLATES: ReadonlyMap<Definition | null, Definition> = new Map<Definition | null, Definition>([
  [OFFICE.remoteTemplate, RTF.remoteTemplate],
  [OFFICE.webTemplate, RTF.webTemplate],
])

function judgeTemplate(item: Item, target: string, context: Context): void {
  const found = judgeReference('attachedtemplate', target, true)
  if (found !== null) context.addFinding(item, { ...(TEMPLATES.get(found) ?? found), detail: targetDetail(target) })
}

/** The data of an Equation Editor object must have been found and judged. */
export function judgeClasses(item: Item, facts: Facts, context: Context): void {
  const isEquation = facts.of(OBJECT_CLASS).some(({ value }) => /^equation(?:\.|$)/i.test(value))
  if (isEquation && facts.of(EQUATION).length === 0) context.addFinding(item, RTF.equationEditor)
}

const SHAPE_PROPERTY = mark(['pFragments'])
/** A count, the size of an element, and more digits than any number has. */
const LONG_FRAGMENT = /pFragments[^;]{0,200};[^;]{0,20};[\s{}]*[0-9a-f\s]{64}/i
const PROPERTY_BYTES = 1_024
const SIGNATURE = /^\s*\{\\rtf/

/** Signs that are visible only in the bytes. */
export function judgeBytes(item: Item, context: Context): void {
  const bytes = view(item.bytes)
  if (item.sniffed.kind === 'rtf' && !SIGNATURE.test(bytes.toString('latin1', 0, 64)))
    context.addFinding(item, RTF.badHeader)
  if (item.sniffed.kind === 'rtf' && bytes.length > FONTS_MAX * FONT_BYTES_MIN) judgeFonts(item, bytes, context)
  if (!item.has(SHAPE_PROPERTY)) return
  for (let at = bytes.indexOf('pFragments'); at !== -1; at = bytes.indexOf('pFragments', at + 1)) {
    charge(TEXT_WORK)
    if (LONG_FRAGMENT.test(bytes.toString('latin1', at, at + PROPERTY_BYTES)))
      context.addFinding(item, RTF.shapeOverflow)
  }
}

/** Word counts fonts in 16 bits, with a sign. The published document that crashes it (CVE-2023-21716) has one more. */
export const FONTS_MAX = 32_760
/** `\f1` and a delimiter. */
const FONT_BYTES_MIN = 4
const BACKSLASH = 0x5c
const LETTER_F = 0x66
const OPEN = 0x7b
const CLOSE = 0x7d

function judgeFonts(item: Item, bytes: Buffer, context: Context): void {
  for (let at = bytes.indexOf('\\fonttbl'); at !== -1; at = bytes.indexOf('\\fonttbl', at + 1)) {
    charge(TEXT_WORK)
    if (fontsFrom(bytes, at + 1) > FONTS_MAX) context.addFinding(item, RTF.fontOverflow)
  }
}

/** The number of fonts up to the end of the group. */
function fontsFrom(bytes: Buffer, from: number): number {
  let depth = 0
  let fonts = 0
  let at = from
  for (; at < bytes.length && depth >= 0; at++) {
    const byte = bytes[at] as number
    if (byte === OPEN) depth++
    else if (byte === CLOSE) depth--
    else if (byte === BACKSLASH && bytes[at + 1] === LETTER_F && isDecimal(bytes[at + 2])) fonts++
  }
  charge(at - from)
  return fonts
}
