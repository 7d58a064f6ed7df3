/** Reads a multipart/form-data body (RFC 7578) as it arrives: a state machine that hands out views of the chunks it is given. */
import { MULTIPART_LIMITS, type MultipartLimits, malformed, type Part, parsePart } from './part-header.ts'

export interface MultipartHandlers {
  onPart(part: Part): void
  /** Bytes of the file announced last, never empty. The value of a field is counted and thrown away. */
  onData(data: Buffer): void
}

export interface MultipartReader {
  /** Throws the refusal, or what a handler threw; from then on it always does. */
  write(chunk: Buffer): void
  end(): void
}

type State = 'preamble' | 'delimited' | 'header' | 'file' | 'field' | 'epilogue'

const LF = 10
const CR = 13
const DASH = 45
const BLANK_LINE = Buffer.from('\r\n\r\n')

export function createMultipartReader(
  boundary: string,
  handlers: MultipartHandlers,
  limits: MultipartLimits = MULTIPART_LIMITS,
): MultipartReader {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  let state: State = 'preamble'
  /**
   * How many bytes at the end of what came so far may begin a delimiter. They are those of the delimiter, so there is no
   * need to keep them. Where a line begins by itself, the two of its line end are only `imagined`.
   */
  let matched = 2
  let imagined = 2
  let ignoredBytes = 0
  let first: number | null = null
  let closed = false
  let parts = 0
  let fields = 0
  let head: Buffer | null = null
  let headLength = 0
  let failure: unknown = null

  function take(bytes: Buffer): void {
    if (state === 'file') {
      handlers.onData(bytes)
      return
    }
    ignoredBytes += bytes.length
    if (state === 'preamble' && ignoredBytes > limits.junkBytesMax) {
      throw malformed('it does not begin with the boundary that its Content-Type announces')
    }
    if (state === 'field' && ignoredBytes > limits.valueBytesMax) {
      throw malformed(`a field other than the file may have up to ${limits.valueBytesMax} bytes`)
    }
  }

  /** The length of the longest end of the chunk that begins a delimiter, in which only the first byte is a CR. */
  function tailLength(chunk: Buffer, from: number): number {
    const stop = Math.max(from, chunk.length - delimiter.length + 1)
    for (let at = chunk.length - 1; at >= stop; at--) {
      if (chunk[at] !== CR) continue
      const length = chunk.length - at
      return delimiter.compare(chunk, at, chunk.length, 0, length) === 0 ? length : 0
    }
    return 0
  }

  /** Goes on with a delimiter that may have begun in an earlier chunk. */
  function resume(chunk: Buffer, from: number): number {
    const held = matched
    let at = from
    while (at < chunk.length && matched < delimiter.length && chunk[at] === delimiter[matched]) {
      at += 1
      matched += 1
    }
    if (matched === delimiter.length) state = 'delimited'
    if (matched === delimiter.length || at === chunk.length) return at
    // It was none. There is no CR in what matched after the first, so no other can have begun meanwhile.
    if (held > imagined) take(delimiter.subarray(imagined, held))
    matched = 0
    return from
  }

  function search(chunk: Buffer, from: number): number {
    const found = chunk.indexOf(delimiter, from)
    if (found >= 0) {
      if (found > from) take(chunk.subarray(from, found))
      state = 'delimited'
      return found + delimiter.length
    }
    matched = tailLength(chunk, from)
    imagined = 0
    const end = chunk.length - matched
    if (end > from) take(from === 0 && matched === 0 ? chunk : chunk.subarray(from, end))
    return chunk.length
  }

  const content = (chunk: Buffer, from: number) => (matched > 0 ? resume(chunk, from) : search(chunk, from))

  /** After a delimiter: a line end and a part, or two dashes and nothing more than a line end and what is ignored. */
  function delimited(chunk: Buffer, at: number): number {
    const byte = chunk[at]
    if (first === null && (byte === CR || (byte === DASH && !closed))) first = byte
    else if (first === CR && byte === LF) lineEnded()
    else if (first === DASH && byte === DASH) {
      first = null
      closed = true
    } else throw malformed('a boundary is not followed by a line end (CR LF) or by two dashes')
    return at + 1
  }

  function lineEnded(): void {
    first = null
    ignoredBytes = 0
    headLength = 0
    state = closed ? 'epilogue' : 'header'
    if (!closed) parts += 1
    if (parts > limits.partsMax) throw malformed(`it may have up to ${limits.partsMax} parts`)
  }

  function header(chunk: Buffer, from: number): number {
    head ??= Buffer.allocUnsafe(limits.headerBytesMax + 2)
    const known = headLength
    headLength += chunk.copy(head, known, from)
    const end = head.subarray(0, headLength).indexOf(BLANK_LINE, Math.max(0, known - 3))
    if (end < 0) {
      if (headLength === head.length) throw malformed(`the headers of a part may have ${limits.headerBytesMax} bytes`)
      return chunk.length
    }
    const part = parsePart(head.toString('latin1', 0, end), limits)
    state = part.fileName === null ? 'field' : 'file'
    if (state === 'field') fields += 1
    if (fields > limits.fieldsMax) throw malformed(`it may have up to ${limits.fieldsMax} fields besides the file`)
    matched = 2
    imagined = 2
    ignoredBytes = 0
    handlers.onPart(part)
    return from + end + BLANK_LINE.length - known
  }

  function epilogue(chunk: Buffer, from: number): number {
    ignoredBytes += chunk.length - from
    if (ignoredBytes > limits.junkBytesMax) throw malformed('it goes on after its closing boundary')
    return chunk.length
  }

  const steps = { preamble: content, file: content, field: content, delimited, header, epilogue }

  function guarded(work: () => void): void {
    if (failure !== null) throw failure
    try {
      work()
    } catch (error) {
      failure = error
      throw error
    }
  }

  return {
    write: (chunk) =>
      guarded(() => {
        for (let at = 0; at < chunk.length; ) at = steps[state](chunk, at)
      }),
    end: () =>
      guarded(() => {
        if (!closed || first !== null) throw malformed('it ends before its closing boundary')
      }),
  }
}
