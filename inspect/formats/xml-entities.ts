/** Detects XML entity expansion bombs without expanding them. */

import { BOMBS } from '#inspect/catalogue/bombs.ts'
import { declaresEntities } from '#inspect/codecs/xml-entities.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'

const DECLARATION = '<!ENTITY'
// Matches from quote to quote. Nested declarations are short, so a million of them are read only twice.
const ENTITY = /<!ENTITY\s+(%\s+)?([^\s"'<>&%;]+)\s+(?:"([^"]*)"|'([^']*)')/y
const REFERENCE = /[&%][^\s"'<>&%;#]+;/g
const REPEATING = /^\s*(?!&(?:lt|gt|amp|quot|apos);)([&%][^\s"'<>&%;#]+;)(?:\s*\1){4}/
const CHARACTER = /&#(?:([0-9]+)|x([0-9a-f]+));/gi
const CODE_MAX = 0x10ffff
/** Work for each declaration, and for each character of its value. */
const DECLARATION_WORK = 3_000
const VALUE_WORK = 60
/** Memory for each character of a value: one in three may begin a reference. */
const VALUE_BYTES = 12

/** Characters that one entity may expand to, plus the length of the text. */
export const EXPANDED_MAX = 1_000_000
/** Nesting of entities. Legitimate XML stays below. */
export const ENTITIES_DEEP_MAX = 64
/** Nesting of declarations inside entity values. Ordinary values declare nothing. */
export const DECLARATIONS_DEEP_MAX = 3

export const xmlEntities: Format = {
  among: { keywords: ['entity'] },
  applies: (item) => item.mentions('entity'),
  analyse(item, context) {
    const bytes = view(item.bytes)
    if (!bytes.includes(DECLARATION)) return
    const text = bytes.toString('latin1')
    if (!declaresEntities(text)) return
    const { entities, repeating, tooDeep } = entitiesOf(text)
    if (tooDeep) context.addObstacle(item, 'too_complex', 'XML entities declare other entities too many levels deep.')
    if (!repeating && !multiplies(entities, EXPANDED_MAX + text.length)) return
    context.addFinding(item, BOMBS.entities)
  },
}

interface Entity {
  length: number
  references: string[]
}

interface Declared {
  /** Keyed by reference. Declarations of the same name are merged, because readers differ in which one they use. */
  entities: Map<string, Entity>
  /** An entity repeats another one. */
  repeating: boolean
  tooDeep: boolean
}

/** Whether an entity expands to more than `lengthMax` characters. */
function multiplies(entities: ReadonlyMap<string, Entity>, lengthMax: number): boolean {
  const known = new Map<string, number>()
  const expanded = (reference: string, depth: number): number => {
    const entity = entities.get(reference)
    if (entity === undefined) return 0
    if (depth > ENTITIES_DEEP_MAX) return Number.POSITIVE_INFINITY
    const before = known.get(reference)
    if (before !== undefined) return before
    // Readers reject recursive entities.
    known.set(reference, 0)
    let length = entity.length
    for (const inner of entity.references) length += expanded(inner, depth + 1)
    known.set(reference, length)
    return length
  }
  for (const reference of entities.keys()) if (expanded(reference, 1) > lengthMax) return true
  return false
}

function entitiesOf(document: string): Declared {
  const declared: Declared = { entities: new Map(), repeating: false, tooDeep: false }
  const read = (text: string, depth: number): void => {
    for (const { reference, value } of declarationsIn(text)) {
      const replacement = replacementOf(value)
      declare(declared, reference, replacement)
      if (replacement === value || !replacement.includes(DECLARATION)) continue
      if (depth === DECLARATIONS_DEEP_MAX) declared.tooDeep = true
      else read(replacement, depth + 1)
    }
  }
  read(document, 0)
  return declared
}

/** Each offset separately, so that a quote in a comment does not hide the next declaration. */
function* declarationsIn(text: string): Generator<{ reference: string; value: string }> {
  for (let at = text.indexOf(DECLARATION); at !== -1; at = text.indexOf(DECLARATION, at + 1)) {
    charge(DECLARATION_WORK)
    ENTITY.lastIndex = at
    const [, parameter, name, double, single] = ENTITY.exec(text) ?? []
    if (name === undefined) continue
    yield { reference: `${parameter === undefined ? '&' : '%'}${name};`, value: double ?? single ?? '' }
  }
}

function declare(declared: Declared, reference: string, replacement: string): void {
  const entity = declared.entities.get(reference) ?? { length: 0, references: [] }
  declared.entities.set(reference, entity)
  charge(replacement.length * VALUE_WORK)
  keep(replacement.length * VALUE_BYTES)
  for (const one of replacement.match(REFERENCE) ?? []) entity.references.push(one)
  entity.length += replacement.length
  declared.repeating ||= REPEATING.test(replacement)
}

/** Character references are replaced at declaration, so they can form a reference to another entity. */
function replacementOf(value: string): string {
  if (!value.includes('&#')) return value
  return value.replace(CHARACTER, (whole, decimal: string | undefined, hex: string | undefined) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= CODE_MAX ? String.fromCodePoint(code) : whole
  })
}
