/** Responds to invalid HTTP, `CONNECT` and unsupported expectations, which never reach Fastify. */
import { type Server as HttpServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { followRequests, isAnsweredEarly } from './connections.ts'
import type { StandardHeaders } from './headers.ts'
import { type Problem, renderProblem } from './problem.ts'

interface SocketErrorOptions {
  publicUrl: string
  headers: StandardHeaders
  limits: { headersTimeoutMs: number; requestTimeoutMs: number }
  log: Log
}

type ParserError = Error & { code?: string }

function refusalOf(code: string | undefined, limits: SocketErrorOptions['limits']): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('headers_too_large', 'The URL and headers of the request exceed 16 KiB.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const [head, whole] = [limits.headersTimeoutMs / 1_000, limits.requestTimeoutMs / 1_000]
    return new AppError(
      'request_timeout',
      `The request did not arrive in time. Headers must arrive within ${head} s, the whole request within ${whole} s.`,
    )
  }
  return new AppError('invalid_request', 'The request is not valid HTTP.')
}

function serialise({ status, headers, body }: Problem): string {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

export function socketErrors({ publicUrl, headers, limits, log }: SocketErrorOptions) {
  function problem(error: AppError): Problem {
    const requestId = newId()
    const rendered = renderProblem(error, requestId, publicUrl)
    log.info(
      { requestId, status: rendered.status, code: error.code, cause: error.cause },
      'Request rejected before routing',
    )
    return { ...rendered, headers: { ...headers(requestId), ...rendered.headers } }
  }

  function refuse(socket: Duplex, error: AppError): void {
    socket.end(serialise(problem(error)), () => socket.destroy())
  }

  function onClientError(error: ParserError, socket: Duplex & { _httpMessage?: ServerResponse | null }): void {
    const response = socket._httpMessage
    // The response to an earlier, complete request of this connection goes first.
    if (response?.req.complete && socket.writable) {
      response.once('finish', () => onClientError(error, socket))
      return
    }
    // Too late to respond: the peer disconnected, or the response is already partly sent. The scan logs aborted uploads.
    const hungUp =
      error.code === 'HPE_INVALID_EOF_STATE' && response?.req.headers['content-type']?.startsWith('multipart/')
    const isTooLate = !socket.writable || response?.headersSent || isAnsweredEarly(socket)
    if (error.code === 'ECONNRESET' || isTooLate || hungUp) {
      socket.destroy()
      return
    }
    const refusal = refusalOf(error.code, limits)
    refuse(socket, new AppError(refusal.code, refusal.message, { cause: error.code }))
  }

  return {
    onClientError,

    /** Call it after all other listeners for requests were added. */
    listen(server: HttpServer): void {
      followRequests(server)
      server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
        const refusal = new AppError('expectation_failed', 'The only supported value of `Expect` is `100-continue`.')
        const { status, headers: all, body } = problem(refusal)
        response.writeHead(status, { ...all, connection: 'close' }).end(body)
      })
      server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
        socket.on('error', () => socket.destroy())
        refuse(
          socket,
          new AppError('method_not_allowed', 'This service is not a proxy.', {
            headers: { allow: 'GET, HEAD, POST, DELETE' },
          }),
        )
      })
    },
  }
}
