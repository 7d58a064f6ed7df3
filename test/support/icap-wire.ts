/** Speaks ICAP byte by byte. */

const CRLF = '\r\n'

/** A chunked body, in one chunk unless `size` is given. */
export function chunked(body: Buffer | string, size = Number.POSITIVE_INFINITY, last = '0'): string {
  const text = Buffer.from(body as string).toString('latin1')
  let chunks = ''
  for (let at = 0; at < text.length; at += size) {
    const chunk = text.slice(at, at + size)
    chunks += `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  }
  return `${chunks}${last}\r\n\r\n`
}

interface Message {
  service?: string
  /** Of the ICAP header, each without a line end. */
  fields?: readonly string[]
  /** Of the encapsulated HTTP request, or null for none. */
  request?: readonly string[] | null
  /** Of the encapsulated HTTP response. */
  response?: readonly string[]
}

const lines = (fields: readonly string[]): string => `${fields.join(CRLF)}\r\n\r\n`

/** A request up to its body. Latin1, as everything on the wire. */
function head(
  method: string,
  url: string,
  sections: [name: string, text: string][],
  body: string,
  fields: readonly string[],
) {
  let offset = 0
  const offsets = sections.map(([name, text]) => {
    const entry = `${name}=${offset}`
    offset += text.length
    return entry
  })
  const encapsulated = `Encapsulated: ${[...offsets, `${body}=${offset}`].join(', ')}`
  return (
    lines([`${method} ${url} ICAP/1.0`, 'Host: 127.0.0.1', ...fields, encapsulated]) +
    sections.map(([, text]) => text).join('')
  )
}

export function respmod(
  { service = 'avscan', fields = [], request, response }: Message = {},
  body = 'res-body',
): string {
  const asked =
    request === null
      ? []
      : [['req-hdr', lines(request ?? ['GET http://example.com/a.txt HTTP/1.1', 'Host: example.com'])]]
  const answered = ['res-hdr', lines(response ?? ['HTTP/1.1 200 OK', 'Content-Type: text/plain'])]
  return head('RESPMOD', `icap://127.0.0.1/${service}`, [...asked, answered] as [string, string][], body, fields)
}

export function reqmod({ service = 'avscan', fields = [], request }: Message = {}, body = 'req-body'): string {
  const asked = lines(request ?? ['PUT http://example.com/a.txt HTTP/1.1', 'Host: example.com'])
  return head('REQMOD', `icap://127.0.0.1/${service}`, [['req-hdr', asked]], body, fields)
}

export const options = (service = 'avscan', fields: readonly string[] = []): string =>
  lines([`OPTIONS icap://127.0.0.1/${service} ICAP/1.0`, 'Host: 127.0.0.1', ...fields])

export interface IcapResponse {
  status: number
  /** As on the wire. */
  head: string
  field(name: string): string | null
  /** The encapsulated header. */
  http: string
  body: string
}

/** Reads a chunked body. */
function readChunks(text: string, from: number): { body: string; at: number } {
  let body = ''
  for (let at = from; ; ) {
    const line = text.indexOf(CRLF, at)
    const length = Number.parseInt(text.slice(at, line), 16)
    if (Number.isNaN(length)) throw new Error(`No chunk: ${text.slice(at, at + 40)}`)
    body += text.slice(line + 2, line + 2 + length)
    at = line + 4 + length
    if (length === 0) return { body, at }
  }
}

const BODY = /(null-body|re[qs]-body)=(\d+)$/

function readResponse(text: string, from: number): { response: IcapResponse; at: number } {
  const end = text.indexOf('\r\n\r\n', from) + 4
  const head = text.slice(from, Math.max(from, end))
  const [, status] = /^ICAP\/1\.0 (\d{3}) /.exec(head) ?? []
  if (status === undefined) throw new Error(`No response: ${text.slice(from)}`)
  const field = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(head)?.[1] ?? null
  const [, name, offset = '0'] = BODY.exec(field('Encapsulated') ?? '') ?? []
  const bodyAt = end + Number(offset)
  const { body, at } = name?.startsWith('re') ? readChunks(text, bodyAt) : { body: '', at: bodyAt }
  return { response: { status: Number(status), head, field, http: text.slice(end, bodyAt), body }, at }
}

/** Reads all responses of a connection. */
export function readResponses(text: string): IcapResponse[] {
  const found: IcapResponse[] = []
  for (let at = 0; at < text.length; ) {
    const read = readResponse(text, at)
    found.push(read.response)
    at = read.at
  }
  return found
}
