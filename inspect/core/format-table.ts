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

  const named = formats.flatMap((format) => {
    const names = format.among?.names
    return names === undefined ? [] : [{ names, format }]
  })

  /** Those that are asked only because of a literal or the name. */
  const others = (name: string | null, ids: ReadonlySet<number>): Format[] => {
    const byName = name === null ? [] : named.filter(({ names }) => names.test(name)).map(({ format }) => format)
    return [...byName, ...[...ids].flatMap((id) => byLiteral.get(id) ?? [])]
  }

  return ({ parent, sniffed, name }, ids) => {
    if (ids === null) return formats
    const traits = (parent === null ? 0 : MEMBER) | (sniffed.kind === 'text' ? 0 : BINARY)
    const asked = withoutLiterals[traits] ?? formats
    const more = others(name, ids)
    if (more.length === 0) return asked
    const all = new Set([...asked, ...more])
    return formats.filter((format) => all.has(format))
  }
}

function literalsOf({ among }: Format): number[] {
  return [...(among?.marks ?? []).map(({ id }) => id), ...(among?.keywords ?? []).map(keywordId)]
}

function traitsOf({ members, binary }: Among): number {
  return (members ? MEMBER : 0) | (binary ? BINARY : 0)
}
