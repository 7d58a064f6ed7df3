/** The ICAP protocol (RFC 3507): the requests of one connection, one after the other. */
import type { Readable } from 'node:stream'
import type { Gateway } from '#listeners/gateway.ts'
import type { Connection, Protocol } from '#listeners/listen.ts'
import { icapReply, type Outcome, type OutcomeName } from '#listeners/outcomes.ts'
import { resetSocket } from '#listeners/reset.ts'
import type { Listener } from '#listeners/specification.ts'
import { createStream, type DocumentStream } from '#listeners/stream.ts'
import { type ContentTools, describeContent, mayPass, scanContent } from './content.ts'
import { createDecoder, type Item } from './decoder.ts'
import type { Original, Originals } from './original.ts'
import * as responses from './responses.ts'

/** Without a request, and for the header and preview of one. */
const IDLE_MS = 30_000
/** Without a byte of a body, or without one that the client reads of a response. */
const STREAM_IDLE_MS = 120_000
/** For the client to read the last response, before what it still sends resets the connection. */
const LINGER_MS = 1_000

/** Names under which products expect the service. All of them do the same. */
export const SERVICES: readonly string[] = [
  'avscan',
  'srv_clamav',
  'virus_scan',
  'squidclamav',
  'scan',
  'req',
  'resp',
  'reqmod',
  'respmod',
]
const METHODS = ['OPTIONS', 'REQMOD', 'RESPMOD']

interface IcapOptions {
  gateway: Pick<Gateway, 'scan'>
  tag(listener: Listener): string
  tools: ContentTools
  connectionsMax: number
  originals: Originals
  /** For tests. */
  idleMs?: number
}

type RequestItem = Extract<Item, { kind: 'request' }>

/** A request whose response is not complete. */
interface Exchange extends Pick<RequestItem, 'head' | 'sections'> {
  /** When it began: rules that change meanwhile must not make its outcome look like theirs. */
  tag: string
  /** Null without a body. */
  stream: DocumentStream | null
  /** Null if the body need not be sent back. */
  original: Original | null
  /** The response, where nothing is scanned. */
  answer: ((context: responses.Context) => Buffer) | null
  /** The outcome, where the headers decide it. */
  refusal: OutcomeName | null
  /** The first bytes say that it passes by the option `other`. */
  hasPassed: boolean
  /** `preview`: the client waits for a reply after it. `received`: nothing more is read before the response. */
  phase: 'preview' | 'body' | 'received'
  /** The client expects a response to the preview. */
  isInPreview: boolean
  /** The connection is closed after the response: some clients read until then after an error. */
  isLast: boolean
}

export const createIcapProtocol =
  (options: IcapOptions): Protocol =>
  (connection) =>
    serve(connection, options)

/** Null for a method and a service that exist. */
function statusOf({ method, service }: RequestItem['head']): 404 | 501 | null {
  if (!METHODS.includes(method)) return 501
  return SERVICES.includes(service) ? null : 404
}

const passOf = ({ other }: Listener): readonly string[] => (typeof other === 'object' ? other.pass : [])

function headPasses(head: readonly Buffer[], pass: readonly string[], tools: ContentTools): boolean {
  const joined = Buffer.concat(head)
  try {
    return tools.passes(joined, pass)
  } finally {
    joined.fill(0)
  }
}

const FAILED: Outcome = { name: 'failed' }
const TOO_SLOW: Outcome = { name: 'too_slow' }

function createExchange(
  { head, sections }: RequestItem,
  client: Connection,
  options: IcapOptions,
  onChange: () => void,
) {
  const { gateway, tools, originals, connectionsMax } = options
  const { method, preview, allows204, encapsulated } = head
  const exchange: Exchange = {
    ...{ head, sections, tag: options.tag(client.listener), stream: null, original: null, answer: null, refusal: null },
    hasPassed: false,
    phase: preview === null ? 'body' : 'preview',
    isInPreview: preview !== null,
    isLast: head.isLast,
  }
  const status = statusOf(head)
  if (status !== null) {
    exchange.isLast = true
    exchange.answer = (context) => responses.statusResponse(status, context)
  } else if (method === 'OPTIONS') exchange.answer = (context) => responses.optionsResponse(context, connectionsMax)
  if (encapsulated.body === 'null-body') {
    exchange.phase = 'received'
    return exchange
  }
  const content = describeContent(head, sections, tools)
  exchange.refusal = content.refusal
  const pass = exchange.answer === null && mayPass(content, client.listener) ? passOf(client.listener) : []
  async function scan(body: Readable, head: readonly Buffer[]): Promise<Outcome | null> {
    const hasPassed = pass.length > 0 && headPasses(head, pass, tools)
    exchange.hasPassed = hasPassed
    if (!hasPassed && (exchange.answer !== null || content.refusal !== null)) {
      exchange.original?.release()
      exchange.original = null
      return { name: content.refusal ?? 'failed' }
    }
    const scanned = scanContent(body, content, tools, (incoming) => gateway.scan(client, { ...incoming, hasPassed }))
    return scanned.catch(() => FAILED)
  }
  exchange.stream = createStream(scan, onChange, { headBytes: pass.length > 0 ? tools.headBytes : 0 })
  const isSentBack = !allows204 && exchange.answer === null && (content.refusal === null || pass.length > 0)
  if (isSentBack) exchange.original = originals.create()
  return exchange
}

function serve(connection: Connection, options: IcapOptions): void {
  const { socket, listener } = connection
  const { idleMs = IDLE_MS } = options
  const decoder = createDecoder()
  let current: Exchange | null = null
  let isFlowing = false
  let isFinished = false
  /** The client sends no more. */
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  let watched: Exchange['phase'] | 'request' | null = null
  /** A piece of a body has arrived since the timer was set. */
  let isFed = false

  const isBlocked = (): boolean => current !== null && (current.phase === 'received' || current.stream?.isFull === true)

  function flow(): void {
    // The scan may read while bytes are passed to it.
    if (isFlowing) return
    isFlowing = true
    while (!isFinished && !isBlocked()) {
      const item = decoder.next()
      if (item === null) break
      handle(item)
    }
    isFlowing = false
    endSlow()
    if (isFinished || !isBlocked()) socket.resume()
    else socket.pause()
    if (hasEnded && !isFinished && !isBlocked()) endOfInput()
    else watch()
  }

  /** A body that is not complete gets no response. */
  function endOfInput(): void {
    if (current === null) finish()
    else socket.destroy()
  }

  /** Bytes of a header or preview that is not complete, and lengths of chunks, do not extend the time. */
  function watch(): void {
    if (socket.destroyed || isFinished) return
    const phase = current?.phase ?? 'request'
    if (current === null && decoder.isEmpty) connection.setIdle()
    if (phase === watched && !(phase === 'body' && isFed)) return
    watched = phase
    isFed = false
    clearTimeout(timer)
    if (phase === 'body') timer = setTimeout(resetSocket, STREAM_IDLE_MS, socket)
    else if (phase !== 'received') timer = setTimeout(onIdle, idleMs)
  }

  function onIdle(): void {
    if (current !== null) cutOff(current, TOO_SLOW)
    else if (decoder.isEmpty) finish()
    else fail(408)
  }

  /** Closes the connection. What the client still sends is read, so that it does not lose the response. */
  function finish(): void {
    isFinished = true
    clearTimeout(timer)
    if (!socket.writable) return
    socket.end()
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
    socket.resume()
  }

  function discard(): void {
    current?.stream?.abort()
    current?.original?.release()
    current = null
  }

  /** Nothing more can be read from the connection. */
  function fail(status: responses.Status): void {
    discard()
    if (socket.writable) socket.write(responses.statusResponse(status, { tag: options.tag(listener), isLast: true }))
    finish()
  }

  function handle(item: Item): void {
    if (item.kind === 'invalid') fail(item.status)
    else if (item.kind === 'request') start(item)
    else if (current === null) throw new Error('A body without a request')
    else if (item.kind === 'piece') add(current, item.bytes)
    else if (item.kind === 'end of preview') endPreview(current)
    else {
      current.isInPreview = item.isInPreview
      void respond(current)
    }
  }

  function start(item: RequestItem): void {
    current = createExchange(item, connection, options, flow)
    if (current.phase === 'received') void respond(current)
  }

  function add(exchange: Exchange, bytes: Buffer): void {
    const { stream, original } = exchange
    original?.add(bytes)
    isFed = true
    if (!stream?.add(bytes)) cutOff(exchange, stream?.result)
  }

  function endSlow(): void {
    if (current?.phase !== 'received' && current?.stream?.result?.name === 'too_slow') cutOff(current, TOO_SLOW)
  }

  /** Responds before the end of the body, because it is too long or comes too slowly. Nothing is sent back then. */
  function cutOff(exchange: Exchange, outcome: Outcome | null | undefined): void {
    if (!outcome || icapReply(outcome, listener).kind === 'unmodified') {
      resetSocket(socket)
      return
    }
    exchange.phase = 'received'
    exchange.isLast = true
    exchange.stream?.abort()
    send(exchange, responseOf(exchange, outcome))
  }

  function endPreview(exchange: Exchange): void {
    const { hasPassed, answer, refusal } = exchange
    const isDecided = hasPassed || answer !== null || refusal !== null
    decoder.resume(isDecided ? 'request' : 'body')
    if (isDecided) {
      void respond(exchange, hasPassed ? null : refusal)
      return
    }
    exchange.phase = 'body'
    exchange.isInPreview = false
    socket.write(responses.CONTINUE)
  }

  /** `decided` is the outcome without the rest of the body. */
  async function respond(exchange: Exchange, decided: OutcomeName | null = null): Promise<void> {
    exchange.phase = 'received'
    const { stream } = exchange
    let outcome: Outcome | null = { name: decided ?? 'empty' }
    if (decided === null && stream !== null) outcome = await stream.end()
    else stream?.abort()
    // The client has disconnected, or was sent away.
    if (current !== exchange) return
    if (outcome === null) {
      resetSocket(socket)
      return
    }
    send(exchange, responseOf(exchange, outcome))
  }

  function responseOf(exchange: Exchange, outcome: Outcome): Iterable<Buffer> {
    return exchange.answer === null ? messageOf(exchange, outcome) : [exchange.answer(exchange)]
  }

  function messageOf(exchange: Exchange, scanned: Outcome): Iterable<Buffer> {
    const { head, sections, stream, original, isInPreview } = exchange
    const isSentBack = !isInPreview && !head.allows204
    const isUnmodified = icapReply(scanned, listener).kind === 'unmodified'
    const problem = isUnmodified && isSentBack ? (original?.problem ?? null) : null
    const outcome = problem === null ? scanned : { name: problem }
    exchange.isLast ||= icapReply(outcome, listener).kind === 'error'
    const response = responses.outcomeResponse(outcome, listener, exchange)
    if (response !== null) return [response]
    if (!isSentBack) return [responses.statusResponse(204, exchange)]
    const body = stream === null ? null : (original?.pieces ?? [])
    return responses.unmodifiedMessage({ method: head.method, sections, body }, exchange)
  }

  function send(exchange: Exchange, pieces: Iterable<Buffer>): void {
    // Counts only the time in which the client reads nothing.
    socket.setTimeout(STREAM_IDLE_MS, () => socket.destroy())
    socket.cork()
    for (const piece of pieces) socket.write(piece)
    socket.write('', () => endExchange(exchange))
    socket.uncork()
  }

  function endExchange(exchange: Exchange): void {
    if (current !== exchange) return
    socket.setTimeout(0)
    exchange.original?.release()
    current = null
    if (exchange.isLast) finish()
    else flow()
  }

  socket.on('data', (chunk: Buffer) => {
    if (isFinished) return
    connection.setBusy()
    decoder.add(chunk)
    flow()
  })
  socket.once('end', () => {
    hasEnded = true
    flow()
  })
  socket.once('close', () => {
    clearTimeout(timer)
    isFinished = true
    discard()
  })
  watch()
}
