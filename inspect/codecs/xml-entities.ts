/** Replaces the entities that an XML text declares by their values. */

import { charge, keep } from '#inspect/core/work.ts'
import { unreferenced } from './character-references.ts'

const DECLARATION = /<!ENTITY\s+([^\s"'<>&%;]{1,200})\s+(?:"([^"]*)"|'([^']*)')/g
const REFERENCE = /&([^\s"'<>&%;#]{1,200});/g
const PREDEFINED = new Set(['lt', 'gt', 'amp', 'quot', 'apos'])
/** Nesting of entities. Legitimate XML stays below. */
export const EXPANSIONS_MAX = 64
/** Characters of all values, and characters that the text may grow by. */
export const GROWTH_MAX = 4_194_304
/** Work for each character and for each reference. */
const TEXT_WORK = 3
const REFERENCE_WORK = 500
/** Work and memory for each declaration. */
const DECLARATION_WORK = 500
const DECLARATION_BYTES = 100

/** The text itself without entities; null if expanding them exceeds a limit. */
export function expandEntities(text: string): string | null {
  if (!text.includes('<!ENTITY')) return text
  charge(text.length * TEXT_WORK)
  const declared = new Map<string, string>()
  // The first declaration of a name counts.
  for (const [, name = '', double, single] of text.matchAll(DECLARATION)) {
    charge(DECLARATION_WORK)
    if (declared.has(name) || PREDEFINED.has(name)) continue
    keep(DECLARATION_BYTES)
    declared.set(name, unreferenced(double ?? single ?? ''))
  }
  const known = new Map<string, string>()
  let left = GROWTH_MAX
  const expansionOf = (reference: string, name: string, depth: number): string => {
    const value = known.get(name) ?? declared.get(name)
    if (value === undefined || left < 0) return reference
    if (known.has(name)) return value
    // Readers reject recursive entities.
    known.set(name, '')
    if (depth > EXPANSIONS_MAX) left = -1
    charge(value.length * TEXT_WORK)
    const expanded = value.replace(REFERENCE, (inner, innerName: string) => charged(inner, innerName, depth + 1))
    known.set(name, expanded)
    return expanded
  }
  const charged = (reference: string, name: string, depth: number): string => {
    charge(REFERENCE_WORK)
    const value = expansionOf(reference, name, depth)
    if (value.length > reference.length) left -= value.length - reference.length
    return left < 0 ? '' : value
  }
  const expanded = text.replace(REFERENCE, (reference, name: string) => charged(reference, name, 1))
  return left < 0 ? null : expanded
}

const INSTRUCTION_END = '?>'
const COMMENT_END = '-->'
/** A document type with declarations in it, or a file of declarations. */
const DECLARATIONS = /<!DOCTYPE\s[^>["']*(?:(?:"[^"]*"|'[^']*')[^>["']*)*\[|<!(?:ENTITY|ELEMENT|ATTLIST|NOTATION|\[)|%/y
const GAP = /[\s\xef\xbb\xbf]*/y

/** Whether it is XML with declarations of its own. Scripts and articles that quote some declare none. */
export function declaresEntities(text: string): boolean {
  if (!text.includes('<!ENTITY')) return false
  charge(text.length)
  for (let at = 0; at !== -1; ) {
    GAP.lastIndex = at
    at += GAP.exec(text)?.[0].length ?? 0
    if (text.startsWith('<?', at)) at = after(text, INSTRUCTION_END, at)
    else if (text.startsWith('<!--', at)) at = after(text, COMMENT_END, at)
    else {
      DECLARATIONS.lastIndex = at
      return DECLARATIONS.test(text)
    }
  }
  return false
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  return at === -1 ? -1 : at + end.length
}
