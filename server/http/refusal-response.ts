/** The response to a refusal, rendered once and sent many times, each time with an id of its own. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AppError } from '#base/errors.ts'
import { closeIfUnread, dropBody, isDroppable } from './connections.ts'
import type { StandardHeaders } from './headers.ts'
import { renderProblem } from './problem.ts'

export interface RefusalOptions {
  publicUrl: string
  headersFor: StandardHeaders
}

/** As long as a real one, for the content length. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** `_header` is the text of the status line and headers, which Node sends if it is set. */
type WritableResponse = ServerResponse & { _header: string | null }

function aroundId(text: string): (id: string) => string {
  const [before = '', after = ''] = text.split(NO_ID)
  return (id) => before + id + after
}

/** A head that Node has composed once, with the current time in the following ones. */
function createHead(text: string): (id: string) => string {
  let second = -1
  let withId: (id: string) => string
  return (id) => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) {
      second = now
      withId = aroundId(text.replace(/^Date: .*$/m, `Date: ${new Date(now * 1_000).toUTCString()}`))
    }
    return withId(id)
  }
}

export type RefusalResponse = ReturnType<typeof createRefusalResponse>

export function createRefusalResponse(
  refusal: AppError,
  extraHeaders: Record<string, string>,
  { publicUrl, headersFor }: RefusalOptions,
) {
  const { status, headers, body } = renderProblem(refusal, NO_ID, publicUrl)
  const bodyWith = aroundId(body)
  const length = Buffer.byteLength(body)
  const encoding: BufferEncoding = length === body.length ? 'latin1' : 'utf8'
  const all = { ...extraHeaders, ...headers, 'content-length': String(length) }
  let headWith: ((id: string) => string) | null = null

  /** Node composes the head of the first response. The others that keep their connection have the same one. */
  function writeHead(response: WritableResponse, id: string, isKept: boolean): void {
    if (isKept && headWith) {
      response._header = headWith(id)
      return
    }
    response.writeHead(status, { ...headersFor(id), ...all })
    if (isKept) headWith = createHead((response._header ?? '').replace(id, NO_ID))
  }

  return {
    /** The whole response to a request that keeps its connection; null until one was sent. */
    text(): string | null {
      if (headWith === null) return null
      const id = randomUUID()
      return headWith(id) + bodyWith(id)
    },
    encoding,

    send(request: IncomingMessage, response: ServerResponse): void {
      const isKept = isDroppable(request) && response.shouldKeepAlive && !response.hasHeader('connection')
      if (isDroppable(request)) dropBody(request)
      else if (closeIfUnread(request)) response.setHeader('connection', 'close')
      const id = randomUUID()
      writeHead(response as WritableResponse, id, isKept)
      response.end(bodyWith(id), encoding)
    },
  }
}
