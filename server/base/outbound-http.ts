/** One HTTP client for every service that we call: bounded in time and size, no redirects, no decompression, no proxy. */
import { type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import { traceHeaders } from './trace.ts'

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PATCH'
  url: string
  headers: Record<string, string>
  body?: string
  responseBytesMax: number
  deadline: AbortSignal
}

export interface OutboundResponse {
  kind: 'answered'
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export type Outcome =
  | OutboundResponse
  /**
   * The connection failed or ended before the response was complete. `why` is an error code, never the peer's text.
   * Once a byte of the response has arrived, the peer did the work, and a retry may be billed again.
   */
  | { kind: 'broken'; why: string; responseBegan: boolean }
  | { kind: 'late'; responseBegan: boolean }
  | { kind: 'invalid'; why: 'too large' | 'not UTF-8' | 'compressed' | 'not HTTP' }

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function readResponse(response: IncomingMessage, bytesMax: number): Promise<Outcome> {
  const { headers, statusCode: status = 0 } = response
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity') {
    response.destroy()
    return { kind: 'invalid', why: 'compressed' }
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > bytesMax) return { kind: 'invalid', why: 'too large' }
    chunks.push(chunk)
  }
  try {
    return { kind: 'answered', status, headers, body: utf8.decode(Buffer.concat(chunks)) }
  } catch {
    return { kind: 'invalid', why: 'not UTF-8' }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'connection closed'

/** The parser's codes for a response that is not HTTP or whose headers are too large. */
const isParseError = (code: string): boolean => code.startsWith('HPE_')

export function createOutboundHttp() {
  const plain = new PlainAgent({ keepAlive: true })
  const secure = new SecureAgent({ keepAlive: true })

  /** Resolves to null if the peer switches to another protocol. */
  function start(request: OutboundRequest, onFirstByte: () => void): Promise<IncomingMessage | null> {
    const { method, url, headers, body, deadline: signal } = request
    const isSecure = url.startsWith('https:')
    const options = { method, headers: { ...headers, ...traceHeaders(), 'accept-encoding': 'identity' }, signal }
    return new Promise((resolve, reject) => {
      const sent = isSecure
        ? requestSecure(url, { ...options, agent: secure })
        : requestPlain(url, { ...options, agent: plain })
      sent.on('response', resolve)
      sent.on('upgrade', (_response, socket) => {
        socket.destroy()
        resolve(null)
      })
      sent.on('error', reject)
      // Settles the promise in every case: no caller waits for a request that has ended.
      sent.on('close', () => reject(new Error('The connection closed without a response')))
      sent.on('socket', (socket) => socket.once('data', onFirstByte))
      sent.end(body)
    })
  }

  return {
    async send(request: OutboundRequest): Promise<Outcome> {
      let responseBegan = false
      try {
        const response = await start(request, () => {
          responseBegan = true
        })
        return response === null
          ? { kind: 'invalid', why: 'not HTTP' }
          : await readResponse(response, request.responseBytesMax)
      } catch (error) {
        if (request.deadline.aborted) return { kind: 'late', responseBegan }
        const why = codeOf(error)
        return isParseError(why) ? { kind: 'invalid', why: 'not HTTP' } : { kind: 'broken', why, responseBegan }
      }
    },
    close(): void {
      plain.destroy()
      secure.destroy()
    },
  }
}
