/** Hands decoded pieces of a text to the traversal, each once. */

import { hash } from 'node:crypto'
import { view } from '#inspect/core/bytes.ts'
import { type Context, IN_BASE64, type Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'
import { createCollection } from './collection.ts'

/** Pieces up to this length are too short for a file. Pages have thousands, so the rules scan them together. */
export const TINY_MAX = 63
/** Past this count, tiny pieces are charged like others. */
export const TINY_COUNT_MAX = 50_000

/** Work for each piece and for each of its bytes. */
const PIECE_WORK = 1_500
const BYTE_WORK = 4

export interface Pieces {
  /** Inspects the readings of a piece of this length, unless it was inspected before. false: the budget is spent. */
  add(length: number, files: readonly Uint8Array[]): boolean
  /** Copies bytes for the scan at the end. false: the budget is spent. */
  collect(bytes: Uint8Array): boolean
  /** Scans the tiny pieces and what was collected. */
  end(): void
}

export function createPieces(item: Item, context: Context): Pieces {
  const take = createPieceBudget(item, context)
  const { isNew, isFirst } = createFilter()
  const collected = createCollection()
  let count = 0
  return {
    add(length, files) {
      charge(PIECE_WORK + length * BYTE_WORK)
      const isTiny = length <= TINY_MAX && count < TINY_COUNT_MAX
      if (isTiny) {
        count += 1
        for (const bytes of files) collected.add(bytes)
        return true
      }
      const added = files.filter(isNew)
      if (added.length === 0) return true
      if (!take(length)) return false
      for (const bytes of added) context.inspectMember(item, IN_BASE64, bytes)
      return true
    },
    collect(bytes) {
      // The rules have scanned it as a file. Such a text has no other pieces that it could match with.
      if (!isFirst(bytes)) collected.add(bytes)
      return context.chargeReading(item, bytes.length)
    },
    end() {
      const bytes = collected.bytes()
      if (bytes.length > 0) context.scan(item, IN_BASE64, bytes)
    },
  }
}

/** A larger piece is not kept in memory for a comparison. */
const FIRST_BYTES_MAX = 33_554_432

/** Accepts each piece once. Most texts have only one, so the first is hashed when another follows. */
function createFilter() {
  const hashes = new Set<string>()
  let first: Uint8Array | null = null
  const isFirst = (bytes: Uint8Array): boolean => first !== null && view(first).equals(view(bytes))
  return {
    isFirst,
    isNew(bytes: Uint8Array): boolean {
      if (bytes.length === 0 || isFirst(bytes)) return false
      if (first === null && hashes.size === 0 && bytes.length <= FIRST_BYTES_MAX) {
        first = bytes
        return true
      }
      if (first !== null) hashes.add(hash('sha256', first))
      first = null
      return hashes.size < hashes.add(hash('sha256', bytes)).size
    },
  }
}
