/** Selects the formats that are asked about an item, so that most of them cost a small document nothing. */

import type { Among, Format, Item } from './format.ts'
import { keywordId } from './keywords.ts'

/** Those that may apply to the item, in order. `ids`: the literals that it contains; null if that is unknown. */
export type FormatTable = (item: Item, ids: ReadonlySet<number> | null) => readonly Format[]

const MEMBER = 1
const BINARY = 2

export function createFormatTable(formats: readonly Format[]): FormatTable {
  const byLiteral = new Map<number, Format[]>()
  for (const format of formats)
    for (const id of literalsOf(format)) byLiteral.set(id, [...(byLiteral.get(id) ?? []), format])
  const withoutLiterals = [0, MEMBER, BINARY, MEMBER | BINARY].map((traits) =>
    formats.filter(({ among }) => among === undefined || (traitsOf(among) & traits) !== 0),
  )

  return ({ parent, sniffed }, ids) => {
    if (ids === null) return formats
    const traits = (parent === null ? 0 : MEMBER) | (sniffed.kind === 'text' ? 0 : BINARY)
    const asked = withoutLiterals[traits] ?? formats
    let all: Set<Format> | null = null
    for (const id of ids)
      for (const format of byLiteral.get(id) ?? []) {
        all ??= new Set(asked)
        all.add(format)
      }
    return all === null ? asked : formats.filter((format) => all.has(format))
  }
}

function literalsOf({ among }: Format): number[] {
  return [...(among?.marks ?? []).map(({ id }) => id), ...(among?.keywords ?? []).map(keywordId)]
}

function traitsOf({ members, binary }: Among): number {
  return (members ? MEMBER : 0) | (binary ? BINARY : 0)
}
