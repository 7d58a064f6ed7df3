/** Judges an Office package as a whole: its content types against the parts that it contains. */

import { OFFICE } from '#inspect/catalogue/office.ts'
import { readCompound } from '#inspect/codecs/compound.ts'
import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { HEAD_BYTES, isOle2 } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'

/** The content type of the main part, or of another part that decides about macros. */
const CONTENT_TYPE = factType<string>('content type')
/** A part that contains a macro project. */
const PROJECT = factType<true>('macro project')

const VBA_STORAGE = mark(['V\0B\0A\0'])
const CONTENT_TYPES = /(?:^|\/)\[content_types\]\.xml$/i
const OVERRIDE = tagPattern(['Override', 'Default'])
const DECIDES = /macro|main\+xml|\.main$/i

const isPart = ({ parent }: Item): boolean => parent?.sniffed.kind === 'ooxml'
const nameOf = ({ path }: Item): string => path.at(-1) ?? ''

export const officePackage: Format = {
  among: { members: true, binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml' || isPart(item),
  analyse(item, context) {
    if (!isPart(item)) return
    if (CONTENT_TYPES.test(nameOf(item))) readContentTypes(item, context)
    if (isOle2(item.bytes) && item.has(VBA_STORAGE) && isProject(item.bytes)) context.record(item, PROJECT, true)
    if (/\.(?:xml|rels|vml)$/i.test(nameOf(item))) findDoctype(item, context)
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind !== 'ooxml') return
    const types = ownFacts(item, facts)
    const hasMacroType = types.some((type) => /macroenabled/i.test(type))
    const hasMainType = types.some((type) => /main\+xml$/i.test(type))
    const hasProject = facts.of(PROJECT).some(({ path }) => path.length === item.path.length + 1)
    if (hasProject && hasMainType && !hasMacroType) context.addFinding(item, OFFICE.macroMismatch)
    if (types.some((type) => /(?:addin|template)\.macroenabled/i.test(type))) context.addFinding(item, OFFICE.addIn)
  },
}

/** Not those of packages embedded in it. */
function ownFacts(item: Item, facts: Facts): string[] {
  return facts
    .of(CONTENT_TYPE)
    .filter(({ path }) => path.length === item.path.length + 1)
    .map(({ value }) => value)
}

function readContentTypes(item: Item, context: Context): void {
  const text = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
  const types = new Set<string>()
  for (const { attributes } of tagsOf(text, OVERRIDE)) types.add(attributes.get('contenttype') ?? '')
  for (const type of types) if (DECIDES.test(type)) context.record(item, CONTENT_TYPE, type)
}

/** A document embedded as a part has its project deeper. */
function isProject(bytes: Uint8Array): boolean {
  return (
    readCompound(bytes)?.entries.some((entry) => entry.storage && entry.name === 'VBA' && entry.parent?.root) === true
  )
}

const PROLOG_BYTES = 4_096
const DOCTYPE = /^[^<]*(?:<\?[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<!DOCTYPE\s+(?!html\b)/i

function findDoctype(item: Item, context: Context): void {
  const head = item.bytes.subarray(0, PROLOG_BYTES)
  // Markup in two bytes per character has zeros. Other parts are not decoded without the word.
  if (!head.includes(0) && !view(head).includes('<!DOCTYPE')) return
  const text = decodeText(head, encodingOf(head) ?? '8-bit')
  if (!text.includes('<!DOCTYPE') || !DOCTYPE.test(text)) return
  const isExternal = /<!ENTITY\s+(?:%\s+)?[^\s"'<>]+\s+(?:SYSTEM|PUBLIC)\s/.test(text)
  context.addFinding(item, isExternal ? OFFICE.externalEntity : OFFICE.doctype)
}
