/** Finds XML whose entities multiply each other until the memory of its reader is full. Expands nothing. */

import { view } from '../bytes.ts'
import type { Format } from '../visit.ts'

const DECLARATION = Buffer.from('<!ENTITY')
const WINDOW = 1024
const DECLARATIONS_MAX = 256

export const xmlEntities: Format = {
  applies: ({ sniffed }) => sniffed.kind === 'text',
  analyse(item, visit) {
    const bytes = view(item.bytes)
    let at = bytes.indexOf(DECLARATION)
    for (let i = 0; at !== -1 && i < DECLARATIONS_MAX; i++, at = bytes.indexOf(DECLARATION, at + 1)) {
      const text = bytes.toString('latin1', at, at + WINDOW)
      if (!/^<!ENTITY\s+(?:%\s+)?[\w.:-]+\s+["'](?:\s*[&%][\w.:-]+;){5}/.test(text)) continue
      visit.find(item, {
        id: 'Docvet.Bomb.Entities',
        severity: 'malicious',
        title: 'XML that multiplies itself',
        reason: 'An entity of the XML consists of other entities many times over, to exhaust the memory of its reader.',
        technique: 'T1499.004',
        detail: null,
      })
      return
    }
  },
}
