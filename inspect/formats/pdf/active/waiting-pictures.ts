/** Pictures whose table of colours is a stream that comes after them. */

import { keep } from '#inspect/core/work.ts'

/** Bytes of pictures that wait. Further ones are read without their colours. */
export const WAITING_BYTES_MAX = 8_000_000
/** Bytes of a table: 256 colours of four inks, and a line break. */
const TABLE_BYTES_MAX = 1_026
const TABLES_MAX = 1_000

export type Values = ReadonlyMap<string, readonly string[]>

interface Waiting {
  values: Values
  bytes: Uint8Array
}

export function createWaitingPictures() {
  const tables = new Map<number, Uint8Array>()
  const waiting: Waiting[] = []
  let left = WAITING_BYTES_MAX
  return {
    /** Any stream may be one. */
    addTable(object: number, bytes: Uint8Array): void {
      if (bytes.length === 0 || bytes.length > TABLE_BYTES_MAX || tables.size >= TABLES_MAX) return
      keep(bytes.length)
      tables.set(object, bytes.slice())
    },
    tableOf: (objects: readonly number[]): Uint8Array | null =>
      objects.map((object) => tables.get(object)).find((table) => table !== undefined) ?? null,
    /** false: it cannot wait. */
    add(values: Values, bytes: Uint8Array): boolean {
      if (bytes.length > left) return false
      left -= bytes.length
      keep(bytes.length)
      waiting.push({ values, bytes })
      return true
    },
    all: (): readonly Waiting[] => waiting,
  }
}
