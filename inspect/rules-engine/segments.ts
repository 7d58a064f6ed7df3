/** Joins streams for one scan, and maps a match back to its stream. */

import type { Match, Span } from './matches.ts'

export interface Segment {
  path: readonly string[]
  bytes: Uint8Array
}

/** Longer than the literals of rules that run over several streams, so that none spans two. */
const SEPARATOR_BYTES = 1024

interface Joined {
  bytes: Uint8Array
  starts: number[]
}

export function join(segments: readonly Segment[]): Joined {
  const [only] = segments
  if (segments.length === 1 && only !== undefined) return { bytes: only.bytes, starts: [0] }
  const total = segments.reduce((sum, { bytes }) => sum + bytes.length + SEPARATOR_BYTES, 0)
  const bytes = Buffer.allocUnsafe(total)
  const starts: number[] = []
  let at = 0
  for (const segment of segments) {
    starts.push(at)
    bytes.set(segment.bytes, at)
    at += segment.bytes.length
    // 0xff is in no rule and is not text.
    bytes.fill(0xff, at, at + SEPARATOR_BYTES)
    at += SEPARATOR_BYTES
  }
  return { bytes, starts }
}

/** Index of the segment that contains the span, or null if it crosses a boundary. */
function segmentOf({ offset, length }: Span, segments: readonly Segment[], starts: readonly number[]): number | null {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  const end = (starts[low] ?? 0) + (segments[low]?.bytes.length ?? 0)
  return offset + length <= end ? low : null
}

/**
 * Indexes of the segments in which a rule matched, or null if that is uncertain: patterns from different members do not
 * make a match. It is certain if all matches are in one segment, or if only one pattern matched.
 */
export function placeOf(match: Match, segments: readonly Segment[], starts: readonly number[]): number[] | null {
  if (segments.length === 1) return [0]
  const found = new Set<number>()
  for (const span of match.patterns.flat()) {
    const index = segmentOf(span, segments, starts)
    if (index === null) return null
    found.add(index)
  }
  if (found.size > 1 && match.patterns.length > 1) return null
  return found.size === 0 ? [0] : [...found]
}
