/** Finds XML whose entities multiply each other until the memory of its reader is full. Expands nothing. */

import { view } from '../bytes.ts'
import type { Format } from '../visit.ts'

const DECLARATION = Buffer.from('<!ENTITY')
// No part of it goes past a `<`, so a million declarations are read once.
const MULTIPLYING = /<!ENTITY\s+(?:%\s+)?[\w.:-]+\s+["'](?:\s*[&%][\w.:-]+;){5}/

export const xmlEntities: Format = {
  applies: ({ sniffed }) => sniffed.kind === 'text',
  analyse(item, visit) {
    const bytes = view(item.bytes)
    if (!bytes.includes(DECLARATION) || !MULTIPLYING.test(bytes.toString('latin1'))) return
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
