/** Finds XML whose entities multiply each other until the memory of its reader is full. Expands nothing. */

import { view } from '../bytes.ts'
import type { Format } from '../visit.ts'

const DECLARATION = Buffer.from('<!ENTITY')
// No part of it goes past a `<`, so a million declarations are read once.
const REPEATING = /<!ENTITY\s+(?:%\s+)?[\w.:-]+\s+["']\s*(?!&(?:lt|gt|amp|quot|apos);)([&%][\w.:-]+;)(?:\s*\1){4}/
const ENTITY = /<!ENTITY\s+(%\s+)?([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')/g
const REFERENCE = /[&%][\w.:-]+;/g

/** Characters that one entity may stand for in the end, beyond as many as the whole text has. */
export const EXPANDED_MAX = 1_000_000
/** Entities in entities. Past it, nobody has written them by hand. */
export const ENTITIES_DEEP_MAX = 64

export const xmlEntities: Format = {
  applies: ({ sniffed }) => sniffed.kind === 'text',
  analyse(item, visit) {
    const bytes = view(item.bytes)
    if (!bytes.includes(DECLARATION)) return
    const text = bytes.toString('latin1')
    if (!REPEATING.test(text) && !multiplies(text)) return
    visit.find(item, {
      id: 'Docvet.Bomb.Entities',
      severity: 'malicious',
      title: 'XML that multiplies itself',
      reason: 'An entity of the XML consists of other entities many times over, to exhaust the memory of its reader.',
      technique: 'T1499.004',
      detail: null,
    })
  },
}

interface Entity {
  length: number
  references: string[]
}

/** Whether some entity is too long once those in it are put in. */
function multiplies(text: string): boolean {
  const entities = entitiesOf(text)
  const known = new Map<string, number>()
  const expanded = (reference: string, depth: number): number => {
    const entity = entities.get(reference)
    if (entity === undefined) return 0
    if (depth > ENTITIES_DEEP_MAX) return Number.POSITIVE_INFINITY
    const before = known.get(reference)
    if (before !== undefined) return before
    // An entity in itself is no XML: readers refuse it.
    known.set(reference, 0)
    let length = entity.length
    for (const inner of entity.references) length += expanded(inner, depth + 1)
    known.set(reference, length)
    return length
  }
  for (const reference of entities.keys()) if (expanded(reference, 1) > EXPANDED_MAX + text.length) return true
  return false
}

/** By the way they are referred to. Of several under one name all count: which one does is up to the reader. */
function entitiesOf(text: string): Map<string, Entity> {
  const entities = new Map<string, Entity>()
  for (const [, parameter, name, double, single] of text.matchAll(ENTITY)) {
    const value = double ?? single ?? ''
    const reference = `${parameter === undefined ? '&' : '%'}${name};`
    const entity = entities.get(reference) ?? { length: 0, references: [] }
    entities.set(reference, entity)
    const references = value.match(REFERENCE) ?? []
    for (const one of references) entity.references.push(one)
    entity.length += value.length
  }
  return entities
}
