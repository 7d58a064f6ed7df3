/** Parses the headers of an ICAP request, and those of the HTTP message that it encapsulates. */

/** Why a request cannot be served. */
export class RequestError extends Error {
  readonly status: 400 | 505
  constructor(status: 400 | 505, message: string) {
    super(message)
    this.status = status
  }
}

const invalid = (message: string): RequestError => new RequestError(400, message)

const HEADER_SECTIONS = ['req-hdr', 'res-hdr'] as const
const BODIES = ['req-body', 'res-body', 'opt-body', 'null-body'] as const
type HeaderSection = (typeof HEADER_SECTIONS)[number]
type Body = (typeof BODIES)[number]

/** Of an ICAP header. */
export const HEADER_BYTES_MAX = 16_384
/**
 * Of an encapsulated one. Squid sends those of web servers up to 64 KiB, and stops using a service that refuses eleven of
 * them.
 */
export const SECTION_BYTES_MAX = 98_304

/** Names in lower case. Values of a repeated name are joined by a comma. */
export type Headers = ReadonlyMap<string, string>

interface Message {
  startLine: string
  headers: Headers
}

export interface Encapsulated {
  /** In their order, with the bytes of each. */
  sections: readonly { name: HeaderSection; bytes: number }[]
  body: Body
}

export interface RequestHead {
  method: string
  /** The path without slashes and query, in lower case. */
  service: string
  headers: Headers
  encapsulated: Encapsulated
  /** Bytes of the body that come before the client waits for a reply; null without a preview. */
  preview: number | null
  allows204: boolean
  isLast: boolean
}

/** Latin1, with its blank line. A folded line continues the one before. */
export function parseMessage(text: string): Message {
  const [startLine = '', ...lines] = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return { startLine: startLine.trim(), headers }
}

const isBody = (name: string): name is Body => BODIES.some((each) => each === name)
const isHeaderSection = (name: string): name is HeaderSection => HEADER_SECTIONS.some((each) => each === name)

/** Some clients name the body before the headers, so the offsets decide the order. */
function parseEncapsulated(value: string): Encapsulated {
  const entries = value.split(',').map((entry, index) => {
    const [, name = '', digits = ''] = /^\s*([a-z-]+)\s*=\s*(\d{1,6})\s*$/i.exec(entry) ?? []
    if (digits === '') throw invalid('Encapsulated is invalid')
    return { name: name.toLowerCase(), offset: Number(digits), index }
  })
  const headers = entries.filter(({ name }) => isHeaderSection(name)).sort((a, b) => a.offset - b.offset)
  const [body, ...others] = entries.filter(({ name }) => isBody(name))
  const isUnique = new Set(entries.map(({ name }) => name)).size === entries.length
  if (body === undefined || !isBody(body.name) || others.length > 0 || !isUnique)
    throw invalid('Encapsulated must have one body')
  if (headers.length + 1 < entries.length) throw invalid('Encapsulated has an unknown section')
  const sections = headers.map(({ name, offset }, index) => {
    const bytes = (headers[index + 1] ?? body).offset - offset
    if (!isHeaderSection(name) || bytes < 1 || bytes > SECTION_BYTES_MAX)
      throw invalid('Encapsulated has wrong offsets')
    return { name, bytes }
  })
  if ((headers[0] ?? body).offset !== 0) throw invalid('Encapsulated must begin at 0')
  return { sections, body: body.name }
}

const NO_BODY: Encapsulated = { sections: [], body: 'null-body' }
const WITH_CONTENT = ['REQMOD', 'RESPMOD']

function parsePreview(value: string | undefined): number | null {
  if (value === undefined) return null
  if (!/^\d{1,9}$/.test(value)) throw invalid('Preview must be a number')
  return Number(value)
}

const listed = (value = ''): string[] => value.split(',').map((each) => each.trim().toLowerCase())

export function parseHead(text: string): RequestHead {
  const { startLine, headers } = parseMessage(text)
  const [, method = '', uri = '', version] = /^([A-Za-z]{1,32}) +(\S+) +ICAP\/(\d{1,3}\.\d{1,3})$/.exec(startLine) ?? []
  if (version === undefined) throw invalid('The request line is invalid')
  if (version !== '1.0') throw new RequestError(505, 'Only ICAP/1.0 is supported')
  const [, path = ''] = /^(?:icaps?:\/\/[^/?#]*)?\/*([^?#]*)/i.exec(uri) ?? []
  const given = headers.get('encapsulated')
  if (given === undefined && WITH_CONTENT.includes(method)) throw invalid('Encapsulated is missing')
  return {
    method,
    service: path.split('/').filter(Boolean).join('/').toLowerCase(),
    headers,
    encapsulated: given === undefined ? NO_BODY : parseEncapsulated(given),
    preview: parsePreview(headers.get('preview')),
    allows204: listed(headers.get('allow')).includes('204'),
    isLast: listed(headers.get('connection')).includes('close'),
  }
}
