/** Macros of an Office package that its ribbon or its slides call without a click. */

import type { Format } from '#inspect/core/format.ts'
import { CALLBACKS, judgeCallbacks, MACRO_PROJECT } from '#inspect/judge/macros/callbacks.ts'

export const macroCallbacks: Format = {
  among: { binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml',
  analyse() {},
  conclude(item, facts, context) {
    const isOwn = ({ path }: { path: readonly string[] }): boolean => path.length === item.path.length + 1
    const callbacks = facts
      .of(CALLBACKS)
      .filter(isOwn)
      .flatMap(({ value }) => value)
    if (callbacks.length === 0) return
    for (const { value: project, path } of facts.of(MACRO_PROJECT).filter(isOwn)) {
      const { judged, isTooComplex } = judgeCallbacks(project, callbacks)
      for (const { definition, detail } of judged) context.addFinding(item, { ...definition, detail, path })
      if (isTooComplex) context.addObstacle(item, 'too_complex', 'Its macros are too long to be judged.', path)
    }
  },
}
