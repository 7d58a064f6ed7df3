/** Sums up the links that lead out of a document in one notice. */

import { OFFICE } from '#inspect/catalogue/office.ts'
import type { Format } from '#inspect/core/format.ts'
import { LINKS_OUT } from '#inspect/judge/links.ts'

export const externalLinks: Format = {
  applies: ({ path }) => path.length === 0,
  analyse() {},
  conclude(item, facts, context) {
    const found = facts.of(LINKS_OUT)
    const [first] = found
    if (first === undefined) return
    const count = found.reduce((sum, { value }) => sum + value.count, 0)
    const detail = count === 1 ? first.value.first : `${count} links, the first to ${first.value.first}`.slice(0, 200)
    context.addFinding(item, { ...OFFICE.externalLinks, detail })
  },
}
