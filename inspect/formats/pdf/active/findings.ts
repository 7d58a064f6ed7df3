/** Adds the findings of a PDF, each once, with the first detail. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import type { Context, Item } from '#inspect/core/format.ts'

export interface Findings {
  add(definition: Definition, detail?: string): void
  /** Addresses that forms are sent to. */
  posts: Set<string>
}

export function createFindings(item: Item, context: Context): Findings {
  const known = new Set<string>()
  return {
    posts: new Set(),
    add({ article: _, ...finding }, detail) {
      if (known.has(finding.id)) return
      known.add(finding.id)
      context.addFinding(item, { ...finding, detail: detail ?? null })
    },
  }
}
