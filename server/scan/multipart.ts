/** Reads a multipart/form-data body (RFC 7578) as it arrives, and passes on views of its chunks. */
import { MULTIPART_LIMITS as LIMITS, malformed, type Part, parsePart } from './part-header.ts'

interface MultipartHandlers {
  onPart(part: Part): void
  /** Bytes of the file that was announced last, never empty. */
  onData(data: Buffer): void
  /** Bytes of the value of the field that was announced last. */
  onValue?(data: Buffer): void
}

type State = 'preamble' | 'delimited' | 'header' | 'file' | 'field' | 'epilogue'

const LF = 10
const CR = 13
const DASH = 45
const BLANK_LINE = Buffer.from('\r\n\r\n')

/** Separates content from delimiters, also from one that is split between chunks. */
function createDelimiterSearch(delimiter: Buffer, take: (bytes: Buffer) => void, onDelimiter: () => void) {
  /** Bytes at the end of the content that may begin a delimiter. They equal its bytes, so they are not kept. */
  let matched = 2
  /** Of these, the CR LF that precedes the content. It belongs to the line before. */
  let implied = 2

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
    matched = 0
    return from
  }

  function search(chunk: Buffer, from: number): number {
    const found = chunk.indexOf(delimiter, from)
    if (found >= 0) {
      if (found > from) take(chunk.subarray(from, found))
      onDelimiter()
      return found + delimiter.length
    }
    matched = tailLength(chunk, from)
    implied = 0
    const end = chunk.length - matched
    if (end > from) take(from === 0 && matched === 0 ? chunk : chunk.subarray(from, end))
    return chunk.length
  }

  return {
    startOfLine(): void {
      matched = 2
      implied = 2
    },
    next: (chunk: Buffer, from: number): number => (matched > 0 ? resume(chunk, from) : search(chunk, from)),
  }
}

/** Collects the headers of a part, which may be split between chunks. */
function createHeadCollector() {
  let head: Buffer | null = null
  let length = 0
  return {
    reset(): void {
      length = 0
    },
    /** The headers, and where the content begins in the chunk; null while they are incomplete. */
    add(chunk: Buffer, from: number): { part: Part; at: number } | null {
      const blank = length === 0 ? chunk.indexOf(BLANK_LINE, from) : -1
      const at = blank + BLANK_LINE.length
      // Nearly always: without a copy.
      if (blank >= 0 && at - from <= LIMITS.headerBytesMax + 2)
        return { part: parsePart(chunk.toString('latin1', from, blank)), at }
      head ??= Buffer.allocUnsafe(LIMITS.headerBytesMax + 2)
      const known = length
      length += chunk.copy(head, known, from)
      const end = head.subarray(0, length).indexOf(BLANK_LINE, Math.max(0, known - 3))
      if (end >= 0) {
        const part = parsePart(head.toString('latin1', 0, end))
        return { part, at: from + end + BLANK_LINE.length - known }
      }
      if (length === head.length) throw malformed(`the headers of a part exceed ${LIMITS.headerBytesMax} bytes`)
      return null
    },
  }
}

export function createMultipartReader(boundary: string, handlers: MultipartHandlers) {
  const search = createDelimiterSearch(Buffer.from(`\r\n--${boundary}`, 'latin1'), take, () => {
    state = 'delimited'
  })
  const collector = createHeadCollector()
  let state: State = 'preamble'
  let ignoredBytes = 0
  let afterDelimiter: number | null = null
  let closed = false
  let parts = 0
  let fields = 0
  let failure: unknown = null

  function take(bytes: Buffer): void {
    if (state === 'file') {
      handlers.onData(bytes)
      return
    }
    ignoredBytes += bytes.length
    if (state === 'preamble' && ignoredBytes > LIMITS.junkBytesMax) {
      throw malformed('it does not start with the boundary that its `Content-Type` declares')
    }
    // First, because the handler knows what is wrong with a value that is too long.
    if (state === 'field') handlers.onValue?.(bytes)
    if (state === 'field' && ignoredBytes > LIMITS.valueBytesMax) {
      throw malformed(`a field other than the file exceeds ${LIMITS.valueBytesMax} bytes`)
    }
  }

  /** A delimiter is followed by a line end and a part, or by two dashes at the end of the form. */
  function delimited(chunk: Buffer, at: number): number {
    const byte = chunk[at]
    if (afterDelimiter === null && (byte === CR || (byte === DASH && !closed))) afterDelimiter = byte
    else if (afterDelimiter === CR && byte === LF) endDelimiterLine()
    else if (afterDelimiter === DASH && byte === DASH) {
      afterDelimiter = null
      closed = true
    } else throw malformed('a boundary must be followed by a line end (CR LF) or by two dashes')
    return at + 1
  }

  function endDelimiterLine(): void {
    afterDelimiter = null
    ignoredBytes = 0
    collector.reset()
    state = closed ? 'epilogue' : 'header'
    if (!closed) parts += 1
    if (parts > LIMITS.partsMax) throw malformed(`it has more than ${LIMITS.partsMax} parts`)
  }

  function header(chunk: Buffer, from: number): number {
    const complete = collector.add(chunk, from)
    if (complete === null) return chunk.length
    state = complete.part.fileName === null ? 'field' : 'file'
    if (state === 'field') fields += 1
    if (fields > LIMITS.fieldsMax) throw malformed(`it has more than ${LIMITS.fieldsMax} fields besides the file`)
    search.startOfLine()
    ignoredBytes = 0
    handlers.onPart(complete.part)
    return complete.at
  }

  function epilogue(chunk: Buffer, from: number): number {
    ignoredBytes += chunk.length - from
    if (ignoredBytes > LIMITS.junkBytesMax) throw malformed('it continues after its closing boundary')
    return chunk.length
  }

  const steps = { preamble: search.next, file: search.next, field: search.next, delimited, header, epilogue }

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
    /** Throws a refusal or the error of a handler, and from then on always. */
    write: (chunk: Buffer): void =>
      guarded(() => {
        for (let at = 0; at < chunk.length; ) at = steps[state](chunk, at)
      }),
    end: (): void =>
      guarded(() => {
        if (!closed || afterDelimiter !== null) throw malformed('it ends before its closing boundary')
      }),
  }
}
