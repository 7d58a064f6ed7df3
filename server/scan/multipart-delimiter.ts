/** Finds the boundaries of a form in its chunks. */
import { malformed } from './part-header.ts'

const LF = 10
const CR = 13
export const LINE_END = Buffer.from('\r\n')

export const strayBoundary = () =>
  malformed(
    'its boundary occurs elsewhere than between the parts, after a line end (CR LF). Choose a random boundary, as HTTP libraries do',
  )

/**
 * Separates content from delimiters, also from one that is split between chunks. A boundary that is not at the beginning of a line
 * that follows CR LF is refused, because other parsers also split there.
 */
export function createDelimiterSearch(delimiter: Buffer, take: (bytes: Buffer) => void, onDelimiter: () => void) {
  const boundary = delimiter.subarray(LINE_END.length)
  /** Bytes at the end of the content that may begin a delimiter. They equal its bytes, so they are not kept. */
  let matched = 0
  /** Of these, the line end that is thought to precede the form. */
  let implied = 0
  /** The end of the content in the chunks before: what a boundary and the line end before it need of them. */
  let tail: Buffer = Buffer.alloc(0)

  /** The length of the longest start of a delimiter at the end of the chunk. Only its first byte is a CR. */
  function tailLength(chunk: Buffer, from: number): number {
    const stop = Math.max(from, chunk.length - delimiter.length + 1)
    for (let at = chunk.length - 1; at >= stop; at--) {
      if (chunk[at] !== CR) continue
      const length = chunk.length - at
      return delimiter.compare(chunk, at, chunk.length, 0, length) === 0 ? length : 0
    }
    return 0
  }

  function resume(chunk: Buffer, from: number): number {
    const held = matched
    let at = from
    while (at < chunk.length && matched < delimiter.length && chunk[at] === delimiter[matched]) {
      at += 1
      matched += 1
    }
    if (matched === delimiter.length) onDelimiter()
    if (matched === delimiter.length || at === chunk.length) return at
    // No delimiter, and none can have begun within: only the first byte of what matched is a CR.
    if (held > implied) take(delimiter.subarray(implied, held))
    return search(chunk, from)
  }

  function search(chunk: Buffer, from: number): number {
    const found = chunk.indexOf(boundary, from)
    if (found >= 0) {
      const end = found - LINE_END.length
      if (end < from || chunk[end] !== CR || chunk[end + 1] !== LF) throw strayBoundary()
      if (end > from) take(chunk.subarray(from, end))
      onDelimiter()
      return found + boundary.length
    }
    matched = tailLength(chunk, from)
    implied = 0
    const end = chunk.length - matched
    if (end > from) take(from === 0 && matched === 0 ? chunk : chunk.subarray(from, end))
    return chunk.length
  }

  /** A boundary that began in the chunks before. */
  function checkSeam(chunk: Buffer): void {
    const seam = Buffer.concat([tail, chunk.subarray(0, boundary.length - 1)])
    const found = seam.indexOf(boundary)
    if (found >= 0 && (found < LINE_END.length || seam[found - 2] !== CR || seam[found - 1] !== LF))
      throw strayBoundary()
    const end = chunk.length < delimiter.length ? Buffer.concat([tail, chunk]) : chunk
    tail = Buffer.from(end.subarray(-delimiter.length))
  }

  return {
    /** The form begins as if a line end preceded it; the content of a part does not. */
    start(lineEnd: Buffer): void {
      matched = lineEnd.length
      implied = lineEnd.length
      tail = lineEnd
    },
    next(chunk: Buffer, from: number): number {
      checkSeam(from === 0 ? chunk : chunk.subarray(from))
      return matched > 0 ? resume(chunk, from) : search(chunk, from)
    },
  }
}
