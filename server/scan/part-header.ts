/** The words around a form and its parts: boundaries, names and types, read strictly. */
import { AppError } from '#base/errors.ts'

export interface Part {
  name: string
  /** As reported, not fit to be shown; `null` for a field that is no file. */
  fileName: string | null
  /** The declared Content-Type; `null` when there is none. */
  type: string | null
}

export const MULTIPART_LIMITS = {
  partsMax: 5,
  fieldsMax: 4,
  headersMax: 16,
  /** Of one part, line ends included. */
  headerBytesMax: 4_096,
  nameBytesMax: 64,
  valueBytesMax: 1_024,
  /** Before the first and after the last delimiter each: the standard says to ignore it, so it is neither scanned nor kept. */
  junkBytesMax: 1_024,
}
export type MultipartLimits = typeof MULTIPART_LIMITS

export const malformed = (detail: string): AppError =>
  new AppError('malformed_multipart', `The form is malformed: ${detail}.`)

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameterPattern = (unquoted: string) =>
  new RegExp(`; *(?:(${TOKEN})=(?:"((?:[^"\\\\]|\\\\[^])*)"|(${unquoted})))? *`, 'y')
const DISPOSITION_PARAMETER = parameterPattern(TOKEN)
/** Not only tokens: a boundary such as `===1700000000===` is often sent without the quotes that it needs. */
const TYPE_PARAMETER = parameterPattern('[^\\s";]+')

type ParameterMap = Map<string, { value: string; quoted: boolean }>

/** `null` when the text is not a list of parameters, each there once. */
function parseParameters(text: string, pattern: RegExp): ParameterMap | null {
  const parameters: ParameterMap = new Map()
  for (pattern.lastIndex = 0; pattern.lastIndex < text.length; ) {
    const match = pattern.exec(text)
    if (match === null) return null
    const [, name, quoted, unquoted = ''] = match
    if (name === undefined) continue
    const known = name.toLowerCase()
    if (parameters.has(known)) return null
    parameters.set(known, { value: quoted ?? unquoted, quoted: quoted !== undefined })
  }
  return parameters
}

const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/

/** The boundary from the Content-Type of a request. */
export function parseBoundary(contentType = ''): string {
  const type = /^[^;,\s]*/.exec(contentType)?.[0] ?? ''
  if (type.toLowerCase() !== 'multipart/form-data') {
    throw new AppError('unsupported_content_type', 'Send the document as multipart/form-data, in a part named "file".')
  }
  const rest = contentType.slice(type.length).trimStart()
  const parameters = parseParameters(rest, TYPE_PARAMETER)
  if (parameters === null) throw malformed('the Content-Type of the request cannot be read')
  const boundary = parameters.get('boundary')?.value ?? ''
  // `boundary*` and `boundary*0` would be another boundary to a proxy that knows RFC 2231.
  const isDoubtful = [...parameters.keys()].some((name) => name.startsWith('boundary*'))
  if (isDoubtful || !BOUNDARY.test(boundary)) {
    throw malformed('the Content-Type of the request must have one boundary of 1 to 70 characters')
  }
  return boundary
}

/** Every byte but control characters; a text is here one character a byte. */
const PLAIN = /^[ -~\u0080-\u00ff]*$/
const ASCII = /^[ -~]*$/
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN} *(?:;|$)`)
const HEADER_NAME = new RegExp(`^${TOKEN}(?=:)`)
const DISPOSITION = 'content-disposition'
const DECIDING = new Set([DISPOSITION, 'content-type', 'content-transfer-encoding'])
const UNCHANGED = new Set(['7bit', '8bit', 'binary'])
const POISONOUS = new Set(['__proto__', 'constructor'])

/** Only spaces, and in a time that does not depend on where they stand, as a regular expression's would. */
function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === ' ') start += 1
  while (end > start && text[end - 1] === ' ') end -= 1
  return text.slice(start, end)
}

function parseHeaders(head: string, limits: MultipartLimits): Map<string, string> {
  const lines = head.split('\r\n', limits.headersMax + 1)
  if (lines.length > limits.headersMax) throw malformed(`a part may have up to ${limits.headersMax} headers`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    // A line that begins with a space has no name, so this is also the end of folded lines.
    const name = HEADER_NAME.exec(line)?.[0].toLowerCase()
    // A file name may hold what it is shown without; that header is looked at more closely below.
    if (name === undefined || !(name === DISPOSITION || PLAIN.test(line))) {
      throw malformed('a header of a part cannot be read')
    }
    if (headers.has(name) && DECIDING.has(name)) throw malformed(`a part has two headers ${name}`)
    headers.set(name, trimSpaces(line.slice(name.length + 1)))
  }
  return headers
}

/** What the headers of a part say, given as latin1 without the blank line. */
export function parsePart(head: string, limits: MultipartLimits): Part {
  const headers = parseHeaders(head, limits)
  const type = headers.get('content-type') ?? ''
  if (!ASCII.test(type)) throw malformed('the Content-Type of a part must be ASCII')
  if (/^multipart\//i.test(type)) throw malformed('a part may not be a multipart itself')
  if (!UNCHANGED.has((headers.get('content-transfer-encoding') ?? 'binary').toLowerCase())) {
    throw malformed('a document must be sent as it is, without a Content-Transfer-Encoding such as base64')
  }
  const { name, fileName } = parseDisposition(headers.get(DISPOSITION) ?? '', limits)
  if (fileName !== null && type !== '' && !MEDIA_TYPE.test(type)) {
    throw malformed('the Content-Type of the file must be a media type such as application/pdf')
  }
  return { name, fileName, type: type || null }
}

function parseDisposition(value: string, limits: MultipartLimits): { name: string; fileName: string | null } {
  const kind = /^form-data */i.exec(value)?.[0]
  const parameters = kind === undefined ? null : parseParameters(value.slice(kind.length), DISPOSITION_PARAMETER)
  if (parameters === null || /[\r\n]/.test(value)) {
    throw malformed('a part needs a Content-Disposition of the form: form-data; name="…"')
  }
  for (const [known, { value: given }] of parameters) {
    // The other forms of RFC 2231 would be another name to whoever knows them.
    const isDoubtful = known.includes('*') && known !== 'filename*'
    if (isDoubtful || !(PLAIN.test(given) || known === 'filename'))
      throw malformed(`the parameter ${known} of a part cannot be read`)
  }
  const name = textOf(parameters.get('name')) ?? ''
  if (name === '' || POISONOUS.has(name) || Buffer.byteLength(name) > limits.nameBytesMax) {
    throw malformed(`a part needs a usable name of 1 to ${limits.nameBytesMax} bytes`)
  }
  return { name, fileName: fileNameOf(parameters) }
}

/** Browsers escape a quote as `%22` and other clients as `\"`; any other backslash is a backslash, as in `C:\a.doc`. */
function textOf(parameter: { value: string; quoted: boolean } | undefined): string | null {
  if (parameter === undefined) return null
  const { value, quoted } = parameter
  const text = quoted ? value.replace(/\\(["\\])|%22/g, (_, escaped: string | undefined) => escaped ?? '"') : value
  return Buffer.from(text, 'latin1').toString('utf8')
}

const EXTENDED = /^utf-8'[0-9A-Za-z-]*'((?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-Fa-f]{2})*)$/i
const ENCODED_WORD = /^=\?utf-8\?b\?([0-9A-Za-z+/=]*)\?=$/i

function fileNameOf(parameters: ParameterMap): string | null {
  const plain = textOf(parameters.get('filename'))
  const extended = parameters.get('filename*')
  if (extended === undefined) return plain
  const [, encoded] = (extended.quoted ? null : EXTENDED.exec(extended.value)) ?? []
  const decoded = encoded === undefined ? null : decodePercent(encoded)
  if (decoded === null) throw malformed('filename* must be in UTF-8, as in RFC 5987')
  // .NET sends both, and a plain one that is not ASCII as an encoded word.
  const [, word] = ENCODED_WORD.exec(plain ?? '') ?? []
  const agrees =
    plain === null || plain === decoded || (word !== undefined && Buffer.from(word, 'base64').toString() === decoded)
  if (!agrees) throw malformed('filename and filename* are not the same name')
  return decoded
}

function decodePercent(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
