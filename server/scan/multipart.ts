/** Reads a multipart/form-data body (RFC 7578) as it arrives, and passes on views of its chunks. */
import { createDelimiterSearch, LINE_END, strayBoundary } from './multipart-delimiter.ts'
import { MULTIPART_LIMITS, malformed, type Part, parsePart } from './part-header.ts'

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
const NOTHING = Buffer.alloc(0)
const BLANK_LINE = Buffer.from('\r\n\r\n')

const { headerBytesMax, lineEndBytesMax } = MULTIPART_LIMITS

/** Collects the headers of a part, which may be split between chunks. */
function createHeadCollector(parse: (head: string) => Part) {
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
      if (blank >= 0 && at - from <= headerBytesMax + 2)
        return { part: parse(chunk.toString('latin1', from, blank)), at }
      head ??= Buffer.allocUnsafe(headerBytesMax + 2)
      const known = length
      length += chunk.copy(head, known, from)
      const end = head.subarray(0, length).indexOf(BLANK_LINE, Math.max(0, known - 3))
      if (end >= 0) {
        const part = parse(head.toString('latin1', 0, end))
        return { part, at: from + end + BLANK_LINE.length - known }
      }
      if (length === head.length) throw malformed(`the headers of a part exceed ${headerBytesMax} bytes`)
      return null
    },
  }
}

type Limits = Pick<typeof MULTIPART_LIMITS, 'partsMax' | 'fieldsMax' | 'valueBytesMax'>

export function createMultipartReader(
  boundary: string,
  handlers: MultipartHandlers,
  limits: Limits = MULTIPART_LIMITS,
) {
  const search = createDelimiterSearch(Buffer.from(`\r\n--${boundary}`, 'latin1'), take, endContent)
  const collector = createHeadCollector((head) => {
    if (head.includes(`--${boundary}`)) throw strayBoundary()
    return parsePart(head)
  })
  let state: State = 'preamble'
  /** Bytes of the content of a part, or before or after the form. */
  let bytes = 0
  /** As the part declares it. */
  let declaredBytes: number | null = null
  let afterDelimiter: number | null = null
  let closed = false
  let parts = 0
  let fields = 0
  let failure: unknown = null
  search.start(LINE_END)

  function take(content: Buffer): void {
    if (state === 'preamble') {
      skipLineEnds(
        content,
        'it must begin with the boundary that its `Content-Type` declares, after nothing but line ends (CR LF)',
      )
      return
    }
    bytes += content.length
    if (state === 'file') handlers.onData(content)
    else takeValue(content)
  }

  function takeValue(value: Buffer): void {
    // First, because the handler knows what is wrong with a value that is too long.
    handlers.onValue?.(value)
    if (bytes > limits.valueBytesMax)
      throw malformed(`a field other than the file exceeds ${limits.valueBytesMax} bytes`)
  }

  function skipLineEnds(content: Buffer, fault: string): void {
    for (const byte of content.subarray(0, lineEndBytesMax + 1)) {
      if (byte !== LINE_END[bytes % LINE_END.length]) throw malformed(fault)
      bytes += 1
    }
    if (bytes > lineEndBytesMax) throw malformed(`more than ${lineEndBytesMax} bytes of line ends surround it`)
  }

  function endContent(): void {
    if (state === 'preamble' && bytes % LINE_END.length > 0) throw strayBoundary()
    if (declaredBytes !== null && declaredBytes !== bytes)
      throw malformed('the `Content-Length` of a part is not its length')
    bytes = 0
    state = 'delimited'
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
    collector.reset()
    state = closed ? 'epilogue' : 'header'
    if (!closed) parts += 1
    if (parts > limits.partsMax) throw malformed(`it has more than ${limits.partsMax} parts`)
  }

  function header(chunk: Buffer, from: number): number {
    const complete = collector.add(chunk, from)
    if (complete === null) return chunk.length
    state = complete.part.fileName === null ? 'field' : 'file'
    if (state === 'field') fields += 1
    if (fields > limits.fieldsMax) throw malformed(`it has more than ${limits.fieldsMax} fields besides the file`)
    search.start(NOTHING)
    declaredBytes = complete.part.length
    handlers.onPart(complete.part)
    return complete.at
  }

  function epilogue(chunk: Buffer, from: number): number {
    skipLineEnds(chunk.subarray(from), 'nothing but line ends (CR LF) may follow its closing boundary')
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
        if (bytes % LINE_END.length > 0)
          throw malformed('nothing but line ends (CR LF) may follow its closing boundary')
      }),
  }
}
