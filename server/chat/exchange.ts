/** One POST of JSON and its answer, bounded in time and size. Follows nothing, unpacks nothing, knows no proxy. */
import { type Agent, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'

/** A completion is a few kilobytes; with all that some services add, still far below this. */
export const ANSWER_BYTES_MAX = 262_144

export type Exchange =
  | { kind: 'answered'; status: number; body: string }
  /**
   * No connection, or one that broke before the answer was whole. `why` is an error code, never a text of theirs. Once
   * a byte of an answer is here, the work was done, and asking again would be paid again.
   */
  | { kind: 'broken'; why: string; answerBegan: boolean }
  | { kind: 'late'; answerBegan: boolean }
  | { kind: 'unreadable'; why: 'too large' | 'not UTF-8' | 'compressed' | 'not HTTP' }

export interface ExchangeOptions {
  url: string
  headers: Record<string, string>
  body: string
  agent: Agent
  signal: AbortSignal
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function readAnswer(answer: IncomingMessage): Promise<Exchange> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity') {
    answer.destroy()
    return { kind: 'unreadable', why: 'compressed' }
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > ANSWER_BYTES_MAX) return { kind: 'unreadable', why: 'too large' }
    chunks.push(chunk)
  }
  try {
    return { kind: 'answered', status: answer.statusCode ?? 0, body: utf8.decode(Buffer.concat(chunks)) }
  } catch {
    return { kind: 'unreadable', why: 'not UTF-8' }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'broken off'

/** What the parser says of an answer that is no HTTP, or has more headers than anybody needs. */
const isNoHttp = (code: string): boolean => code.startsWith('HPE_')

export async function exchange({ url, headers, body, agent, signal }: ExchangeOptions): Promise<Exchange> {
  const request = url.startsWith('https:') ? requestSecure : requestPlain
  /** Null for one that goes on in another protocol. */
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | null>()
  let answerBegan = false
  const begin = () => {
    answerBegan = true
  }
  try {
    const sent = request(url, { method: 'POST', headers, agent, signal })
    sent.on('response', resolve)
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      resolve(null)
    })
    sent.on('error', reject)
    // Whatever else may happen to it: nobody waits for a request that is over.
    sent.on('close', () => reject(new Error('closed without an answer')))
    sent.on('socket', (socket) => socket.once('data', begin))
    sent.end(body)
    const answer = await promise
    return answer === null ? { kind: 'unreadable', why: 'not HTTP' } : await readAnswer(answer)
  } catch (error) {
    if (signal.aborted) return { kind: 'late', answerBegan }
    const why = codeOf(error)
    return isNoHttp(why) ? { kind: 'unreadable', why: 'not HTTP' } : { kind: 'broken', why, answerBegan }
  }
}
