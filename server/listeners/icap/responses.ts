/** The responses of the ICAP service, byte for byte. */
import { icapReply, type Outcome } from '#listeners/outcomes.ts'
import type { Listener } from '#listeners/specification.ts'
import type { Section } from './decoder.ts'

/** oCIS compares the whole of it. */
export const CONTINUE = 'ICAP/1.0 100 Continue\r\n\r\n'

/** Enough to detect the type: a picture may have the header of a PDF behind its first kilobyte. */
export const PREVIEW_BYTES = 4_096
const OPTIONS_TTL_SECONDS = 3_600
const RETRY_AFTER_SECONDS = 5
const THREAT_LENGTH_MAX = 180
const UNNAMED = 'Docvet.Threat'

const REASONS = {
  200: 'OK',
  /** oCIS looks for this word. */
  204: 'Unmodified',
  400: 'Bad Request',
  404: 'Service Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  500: 'Server Error',
  501: 'Method Not Implemented',
  503: 'Service Overloaded',
  505: 'Version Not Supported',
} as const
export type Status = keyof typeof REASONS

export interface Context {
  tag: string
  /** The connection is closed after the response. */
  isLast: boolean
}

/** `Encapsulated` is last, because ownCloud stops reading there. */
function head(
  status: Status,
  { tag, isLast }: Context,
  fields: readonly string[],
  encapsulated = 'null-body=0',
): string {
  return [
    `ICAP/1.0 ${status} ${REASONS[status]}`,
    `Date: ${new Date().toUTCString()}`,
    'Server: Docvet',
    `Connection: ${isLast ? 'close' : 'keep-alive'}`,
    `ISTag: ${tag}`,
    ...fields,
    `Encapsulated: ${encapsulated}`,
    '\r\n',
  ].join('\r\n')
}

export const statusResponse = (status: Status, context: Context): Buffer => Buffer.from(head(status, context, []))

export function optionsResponse(context: Context, connectionsMax: number): Buffer {
  const fields = [
    'Methods: REQMOD, RESPMOD',
    'Service: Docvet',
    `Max-Connections: ${connectionsMax}`,
    `Options-TTL: ${OPTIONS_TTL_SECONDS}`,
    `Preview: ${PREVIEW_BYTES}`,
    'Allow: 204',
    'Transfer-Preview: *',
  ]
  return Buffer.from(head(200, context, fields))
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)

/** A semicolon ends it in `X-Infection-Found`. Clients take a line with the name of a protocol for a status line. */
export function threatName(threat: string): string {
  const name = threat.replace(/[^A-Za-z0-9 ._(){}+/-]/g, '_').slice(0, THREAT_LENGTH_MAX)
  return name.replace(/(?:HTTP|ICAP)\//gi, (word) => word.replace('/', '_')).trim() || UNNAMED
}

function page(type: 0 | 2, threat: string): Buffer {
  const [title, reason] =
    type === 0
      ? ['Blocked: malware found', 'This document contains malware.']
      : ['Blocked: could not be inspected', 'This document could not be inspected, so it is not known to be harmless.']
  const html = [
    '<!DOCTYPE html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>`,
    `<body><h1>${title}</h1><p>${reason}</p><p>Reason: <code>${escapeHtml(threat)}</code></p></body></html>`,
    '',
  ]
  return Buffer.from(html.join('\n'))
}

/** In one piece: oCIS reads only until a packet ends with an empty line. */
function blockResponse(type: 0 | 2, threat: string, context: Context): Buffer {
  const fields = [
    `X-Infection-Found: Type=${type}; Resolution=2; Threat=${threat};`,
    `X-Virus-ID: ${threat}`,
    'X-Response-Info: Blocked',
  ]
  const body = page(type, threat)
  const http = [
    'HTTP/1.1 403 Forbidden',
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none'",
    ...fields.slice(0, 2),
    '\r\n',
  ].join('\r\n')
  const encapsulated = `res-hdr=0, res-body=${Buffer.byteLength(http)}`
  return Buffer.concat([
    Buffer.from(head(200, context, fields, encapsulated)),
    Buffer.from(`${http}${body.length.toString(16)}\r\n`),
    body,
    Buffer.from('\r\n0\r\n\r\n'),
  ])
}

export interface Message {
  method: string
  sections: readonly Section[]
  /** Null without one. */
  body: readonly Buffer[] | null
}

/** The message as it was received, for a client that does not allow 204. */
export function* unmodifiedMessage({ method, sections, body }: Message, context: Context): Generator<Buffer> {
  const kind = method === 'REQMOD' ? 'req' : 'res'
  const section = sections.find(({ name }) => name === `${kind}-hdr`)
  const header = section === undefined ? '' : `${kind}-hdr=0, `
  const bodyName = body === null ? 'null-body' : `${kind}-body`
  yield Buffer.from(head(200, context, [], `${header}${bodyName}=${section?.bytes.length ?? 0}`))
  if (section) yield section.bytes
  if (body === null) return
  for (const piece of body) {
    yield Buffer.from(`${piece.length.toString(16)}\r\n`)
    yield piece
    yield Buffer.from('\r\n')
  }
  yield Buffer.from('0\r\n\r\n')
}

/** Null for an unmodified message. */
export function outcomeResponse(
  outcome: Outcome,
  options: Pick<Listener, 'unscannable' | 'failure'>,
  context: Context,
): Buffer | null {
  const reply = icapReply(outcome, options)
  switch (reply.kind) {
    case 'unmodified':
      return null
    case 'blocked':
      return blockResponse(reply.type, threatName(reply.threat ?? outcome.threat ?? ''), context)
    case 'error': {
      const fields =
        reply.errorCode === null
          ? [`Retry-After: ${outcome.retryAfterSeconds ?? RETRY_AFTER_SECONDS}`]
          : [`X-Error-Code: ${reply.errorCode}`]
      return Buffer.from(head(reply.status, context, fields))
    }
  }
}
