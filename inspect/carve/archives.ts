/** Finds archives that are not unpacked, after other data or without a signature. */

import { type ProbeBudget, SYMBOLS_MAX } from '#inspect/codecs/lzma-probe.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'
import { isDecodableLzma } from '#inspect/detect/lzma.ts'
import { SIGNATURES, type Signature } from './archive-signatures.ts'

/** One budget for all items of a document. */
const budgets = new WeakMap<Context, ProbeBudget>()

function budgetOf(context: Context): ProbeBudget {
  const budget = budgets.get(context) ?? { symbolsLeft: SYMBOLS_MAX }
  budgets.set(context, budget)
  return budget
}

export const carvedArchive: Format = {
  applies: () => true,
  analyse(item, context) {
    const type = typeOf(item.bytes, budgetOf(context))
    if (type !== null) context.addObstacle(item, 'too_complex', unsupportedArchive(type))
  },
}

function typeOf(bytes: Uint8Array, budget: ProbeBudget): string | null {
  const lzma: Signature = {
    type: 'application/x-lzma',
    bytes: ascii('\x5d\0\0'),
    fits: (whole, at) => isDecodableLzma(whole.subarray(at), budget),
  }
  if (isDecodableLzma(bytes, budget)) return lzma.type
  return [lzma, ...SIGNATURES].find((signature) => occurs(bytes, signature))?.type ?? null
}

function occurs(source: Uint8Array, { bytes: wanted, fits }: Signature): boolean {
  const bytes = view(source)
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) if (fits(bytes, at)) return true
  return false
}
