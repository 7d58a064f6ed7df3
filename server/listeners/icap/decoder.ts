/** Splits the bytes of a connection into ICAP requests: header, encapsulated headers, and the pieces of a chunked body. */
import { HEADER_BYTES_MAX, parseHead, RequestError, type RequestHead } from './request.ts'

export interface Section {
  name: string
  bytes: Buffer
}

export type Item =
  | { kind: 'request'; head: RequestHead; sections: readonly Section[] }
  /** A part of a chunk, in memory that is used again: copy it. */
  | { kind: 'piece'; bytes: Buffer }
  /** The client waits for a reply: the body may continue. */
  | { kind: 'end of preview' }
  /** `isInPreview`: the whole body was in the preview. */
  | { kind: 'end of body'; isInPreview: boolean }
  /** Nothing after it can be read. */
  | { kind: 'invalid'; status: 400 | 505 }

/** The length of a chunk with its extensions. */
export const CHUNK_LINE_BYTES_MAX = 1_024
const NEWLINE = 10
const CARRIAGE_RETURN = 13
const CHUNK_LINE = /^\s*([0-9a-f]{1,8})\s*(;.*)?$/i

type State = 'head' | 'sections' | 'chunk line' | 'chunk' | 'chunk end' | 'trailer' | 'waiting'

export function createDecoder() {
  let input: Buffer = Buffer.alloc(0)
  let state: State = 'head'
  let head: RequestHead | null = null
  let chunkLeft = 0
  let isPreview = false
  let hasIeof = false
  let trailerBytes = 0

  const take = (count: number): Buffer => {
    const taken = input.subarray(0, count)
    input = input.subarray(count)
    return taken
  }

  /** Without its end; null if it is not complete. */
  function takeLine(bytesMax: number): string | null {
    const end = input.indexOf(NEWLINE)
    if ((end === -1 ? input.length : end) > bytesMax) throw new RequestError(400, 'A line is too long')
    return end === -1
      ? null
      : take(end + 1)
          .toString('latin1', 0, end)
          .replace(/\r$/, '')
  }

  function nextHead(): Item | null {
    // Some clients send an empty line after a body.
    while (input[0] === CARRIAGE_RETURN || input[0] === NEWLINE) take(1)
    const [unix, usual] = [input.indexOf('\n\n'), input.indexOf('\n\r\n')]
    const isUnix = unix !== -1 && (usual === -1 || unix < usual)
    const end = isUnix ? unix + 2 : usual + 3
    const isComplete = unix !== -1 || usual !== -1
    if ((isComplete ? end : input.length) > HEADER_BYTES_MAX) throw new RequestError(400, 'The header is too long')
    if (!isComplete) return null
    head = parseHead(take(end).toString('latin1'))
    state = 'sections'
    return nextSections(head)
  }

  function nextSections(current: RequestHead): Item | null {
    const { sections, body } = current.encapsulated
    const total = sections.reduce((sum, { bytes }) => sum + bytes, 0)
    if (input.length < total) return null
    // Copies, because the reply repeats them.
    const read = sections.map(({ name, bytes }) => ({ name, bytes: Buffer.from(take(bytes)) }))
    for (const { bytes } of read) {
      if (!/\n\r?\n$/.test(bytes.toString('latin1', bytes.length - 3))) throw new RequestError(400, 'Wrong offsets')
    }
    state = body === 'null-body' ? 'head' : 'chunk line'
    isPreview = current.preview !== null
    head = null
    return { kind: 'request', head: current, sections: read }
  }

  function nextChunk(): Item | null {
    const line = takeLine(CHUNK_LINE_BYTES_MAX)
    if (line === null) return null
    const [, digits, extensions = ''] = CHUNK_LINE.exec(line) ?? []
    if (digits === undefined) throw new RequestError(400, 'The length of a chunk is invalid')
    chunkLeft = Number.parseInt(digits, 16)
    hasIeof = /;\s*ieof\s*(?:;|$)/i.test(extensions)
    trailerBytes = 0
    state = chunkLeft === 0 ? 'trailer' : 'chunk'
    return step()
  }

  function nextPiece(): Item | null {
    if (input.length === 0) return null
    const bytes = take(Math.min(chunkLeft, input.length))
    chunkLeft -= bytes.length
    if (chunkLeft === 0) state = 'chunk end'
    return { kind: 'piece', bytes }
  }

  function nextChunkEnd(): Item | null {
    const line = takeLine(1)
    if (line === null) return null
    if (line !== '') throw new RequestError(400, 'A chunk is longer than its length')
    state = 'chunk line'
    return step()
  }

  function nextTrailer(): Item | null {
    for (;;) {
      const line = takeLine(HEADER_BYTES_MAX - trailerBytes)
      if (line === null) return null
      trailerBytes += line.length
      if (line === '') break
    }
    if (isPreview && !hasIeof) {
      state = 'waiting'
      return { kind: 'end of preview' }
    }
    state = 'head'
    return { kind: 'end of body', isInPreview: isPreview }
  }

  function step(): Item | null {
    switch (state) {
      case 'head':
        return nextHead()
      case 'sections':
        return head && nextSections(head)
      case 'chunk line':
        return nextChunk()
      case 'chunk':
        return nextPiece()
      case 'chunk end':
        return nextChunkEnd()
      case 'trailer':
        return nextTrailer()
      case 'waiting':
        return null
    }
  }

  return {
    /** The decoder owns the chunk from now on. */
    add(chunk: Buffer): void {
      input = input.length === 0 ? chunk : Buffer.concat([input, chunk])
    },
    /** Null when more bytes are needed. */
    next(): Item | null {
      try {
        return input.length === 0 ? null : step()
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        return { kind: 'invalid', status: error.status }
      }
    },
    /** After the end of a preview: the rest of the body follows, or the next request. */
    resume(next: 'body' | 'request'): void {
      isPreview = false
      state = next === 'body' ? 'chunk line' : 'head'
    },
    /** Between two requests. */
    get isEmpty() {
      return input.length === 0 && state === 'head'
    },
  }
}
