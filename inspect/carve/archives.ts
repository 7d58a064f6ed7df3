/** Finds archives that are not unpacked, after other data or without a signature. */

import { type ProbeBudget, SYMBOLS_MAX } from '#inspect/codecs/lzma-probe.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'
import { charge } from '#inspect/core/work.ts'
import { probe } from '#inspect/detect/lzma.ts'
import { SIGNATURES, type Signature } from './archive-signatures.ts'

/** Work for each signature. */
const CANDIDATE_WORK = 300

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
    const type = inspectLzma(item, context) ? LZMA_TYPE : SIGNATURES.find(occursIn(item.bytes))?.type
    if (type !== undefined) context.addObstacle(item, 'too_complex', unsupportedArchive(type))
  },
}

const LZMA_TYPE = 'application/x-lzma'
/** The usual properties, and a dictionary of at least 64 kB. */
const LZMA_START = ascii('\x5d\0\0')

/** Whether it contains LZMA data. Data that is LZMA only at its start is inspected as far as programs unpack it. */
function inspectLzma(item: Item, context: Context): boolean {
  const bytes = view(item.bytes)
  const budget = budgetOf(context)
  for (let at = 0; at !== -1; at = bytes.indexOf(LZMA_START, at + 1)) {
    charge(CANDIDATE_WORK)
    const { isLzma, content } = probe(bytes.subarray(at), budget)
    if (isLzma) return true
    if (content === null) continue
    if (!context.chargeBytes(item, content.length, 'archive')) return false
    context.inspectMember(item, '(LZMA)', content)
  }
  return false
}

const occursIn =
  (source: Uint8Array) =>
  ({ bytes: wanted, fits }: Signature): boolean => {
    const bytes = view(source)
    for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
      charge(CANDIDATE_WORK)
      if (fits(bytes, at)) return true
    }
    return false
  }
