/** Macros that start an unknown program, after everything in the document that could tell which one was read. */

import type { Format } from '#inspect/core/format.ts'
import { UNKNOWN_MACROS } from '#inspect/judge/macros/again.ts'
import { judgeConcealed } from '#inspect/judge/macros/macros.ts'

export const concealedMacros: Format = {
  applies: ({ parent }) => parent === null,
  analyse() {},
  conclude(item, facts, context) {
    for (const { value, path } of facts.of(UNKNOWN_MACROS))
      for (const { definition, detail } of judgeConcealed(value.reading))
        if (!value.found.has(definition.id)) context.addFinding(item, { ...definition, detail, path })
  },
}
