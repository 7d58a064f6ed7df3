/** Finds archives that are not unpacked, after other data or without a signature. */

import { type ProbeBudget, probeLzma, SYMBOLS_MAX } from '#inspect/codecs/lzma-probe.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { type Mark, mark } from '#inspect/core/marks.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'
import { charge } from '#inspect/core/work.ts'
import { lzmaHeaderOf } from '#inspect/detect/lzma.ts'
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
    const type = inspectLzma(item, context) ? LZMA_TYPE : MARKED.find((one) => occurs(one, item))?.type
    if (type !== undefined) context.addObstacle(item, 'too_complex', unsupportedArchive(type))
  },
}

const LZMA_TYPE = 'application/x-lzma'
/** The usual properties, before a dictionary size of whole pages. */
const LZMA_START = ascii('\x5d\0')
/** An unknown size, and the first byte of the data. */
const LZMA_SIZE = ascii(`${'\xff'.repeat(8)}\0`)
const LZMA_SIZE_MARK = mark([`${'\xff'.repeat(8)}\0`])
const LZMA_SIZE_AT = 5
/** LZMA86 has the number of a filter before the header. */
const FILTER_MAX = 1

/** Whether it contains LZMA data. Data that is LZMA only at its start is inspected as far as programs unpack it. */
function inspectLzma(item: Item, context: Context): boolean {
  const bytes = view(item.bytes)
  for (const at of lzmaCandidates(bytes, item.has(LZMA_SIZE_MARK))) {
    const data = bytes.subarray(at)
    const header = lzmaHeaderOf(data)
    if (header === null || (at > FILTER_MAX && !header.isWritten)) continue
    // The header alone may be chance, so the first bytes are decoded.
    const result = probeLzma(data, header, budgetOf(context))
    if (result.isLzma) return true
    if (result.content === null) continue
    if (!context.chargeBytes(item, result.content.length, 'archive')) return false
    context.inspectMember(item, '(LZMA)', result.content)
  }
  return false
}

/** Programs accept every header at the start of a file. Elsewhere, scripts unpack what programs write: pictures have all others. */
function* lzmaCandidates(bytes: Buffer, hasSize: boolean): Iterable<number> {
  yield 0
  if ((bytes[0] ?? 255) <= FILTER_MAX) yield 1
  for (let at = bytes.indexOf(LZMA_START, 1); at !== -1; at = bytes.indexOf(LZMA_START, at + 1)) {
    charge(CANDIDATE_WORK)
    yield at
  }
  if (!hasSize) return
  for (let at = bytes.indexOf(LZMA_SIZE, 1 + LZMA_SIZE_AT); at !== -1; at = bytes.indexOf(LZMA_SIZE, at + 1)) {
    charge(CANDIDATE_WORK)
    const isFound = bytes[at - LZMA_SIZE_AT] === LZMA_START[0] && bytes[at - LZMA_SIZE_AT + 1] === LZMA_START[1]
    if (!isFound) yield at - LZMA_SIZE_AT
  }
}

interface MarkedSignature extends Signature {
  mark: Mark
}

const MARKED: readonly MarkedSignature[] = SIGNATURES.map((one) => ({
  ...one,
  mark: mark([view(one.bytes).toString('latin1')], { fits: one.fits }),
}))

function occurs({ mark, bytes: wanted, fits }: MarkedSignature, item: Item): boolean {
  if (!item.has(mark)) return false
  const bytes = view(item.bytes)
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
    charge(CANDIDATE_WORK)
    if (fits(bytes, at)) return true
  }
  return false
}
