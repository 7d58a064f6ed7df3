/** Hands decoded pieces of a text to the traversal, each once. */

import { hash } from 'node:crypto'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Pieces up to this length are too short for a file. Pages have thousands, so the rules scan them together. */
export const TINY_MAX = 63
/** Past this count, tiny pieces are charged like others. */
export const TINY_COUNT_MAX = 50_000

/** Work for each piece and for each of its bytes, and memory for each piece. */
const PIECE_WORK = 1_500
const BYTE_WORK = 4
const ENTRY_BYTES = 120

export interface Pieces {
  /** Inspects the readings of a piece of this length, unless it was inspected before. false: the budget is spent. */
  add(length: number, files: readonly Uint8Array[]): boolean
  /** Remembers bytes for the scan at the end. false: the budget is spent. */
  collect(bytes: Uint8Array): boolean
  /** Scans the tiny pieces and what was collected. */
  end(): void
}

export function createPieces(item: Item, context: Context): Pieces {
  const take = createPieceBudget(item, context)
  const seen = new Set<string>()
  const tiny = new Set<string>()
  let count = 0
  const isNew = (bytes: Uint8Array): boolean => bytes.length > 0 && seen.size < seen.add(hash('sha256', bytes)).size
  const remember = (bytes: Uint8Array): void => {
    keep(ENTRY_BYTES + bytes.length)
    tiny.add(view(bytes).toString('latin1'))
  }
  return {
    add(length, files) {
      charge(PIECE_WORK + length * BYTE_WORK)
      const isTiny = length <= TINY_MAX && count < TINY_COUNT_MAX
      if (isTiny) {
        count += 1
        for (const bytes of files) remember(bytes)
        return true
      }
      const added = files.filter(isNew)
      if (added.length === 0) return true
      if (!take(length)) return false
      for (const bytes of added) context.inspectMember(item, '(in Base64)', bytes)
      return true
    },
    collect(bytes) {
      remember(bytes)
      return context.chargeReading(item, bytes.length)
    },
    end() {
      tiny.delete('')
      if (tiny.size > 0) context.scan(item, '(in Base64)', ascii([...tiny].join('\n')))
    },
  }
}
