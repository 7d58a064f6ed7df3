/** Overlaps and gaps between the entries of an archive. */

export interface Range {
  start: number
  end: number
}

/** Pairs of ranges that share bytes. */
export function overlaps<T extends Range>(ranges: readonly T[]): [T, T][] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const pairs: [T, T][] = []
  let widest: T | null = null
  for (const range of sorted) {
    if (widest !== null && range.start < widest.end) pairs.push([widest, range])
    if (widest === null || range.end > widest.end) widest = range
  }
  return pairs
}

/** The parts of `0…length` that no range covers. */
export function gaps(ranges: readonly Range[], length: number): Range[] {
  const free: Range[] = []
  let at = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > at) free.push({ start: at, end: Math.min(start, length) })
    at = Math.max(at, end)
  }
  if (at < length) free.push({ start: at, end: length })
  return free
}
