/** Parses the boundary of a form and the headers of its parts, strictly. */
import { AppError } from '#base/errors.ts'

export interface Part {
  name: string
  /** As reported, unsafe to display; null for a field that is not a file. */
  fileName: string | null
  /** The declared Content-Type, or null. */
  type: string | null
  /** The declared Content-Length, or null. */
  length: number | null
}

export const MULTIPART_LIMITS = {
  partsMax: 5,
  fieldsMax: 4,
  headersMax: 16,
  /** Of one part, with line ends. */
  headerBytesMax: 4_096,
  nameBytesMax: 64,
  valueBytesMax: 1_024,
  /** Before the first and after the last delimiter, each. Other parsers find parts in anything else that stands there. */
  lineEndBytesMax: 1_024,
}

/** Of forms that are not made for the API: those of web pages. */
export const PAGE_FORM_LIMITS = { partsMax: 200, fieldsMax: 200, valueBytesMax: 1_048_576 }

export const malformed = (detail: string): AppError =>
  new AppError('malformed_multipart', `The form is malformed: ${detail}.`)

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameterPattern = (unquoted: string) =>
  new RegExp(`; *(?:(${TOKEN})=(?:"((?:[^"\\\\]|\\\\[^])*)"|(${unquoted})))? *`, 'y')
const DISPOSITION_PARAMETER = parameterPattern(TOKEN)
/** More than tokens: clients often send a boundary such as `===1700000000===` without the quotes that it needs. PHP ends it at a comma. */
const TYPE_PARAMETER = parameterPattern('[^\\s",;]+')

type ParameterMap = Map<string, { value: string; quoted: boolean }>

/** Null when the text is not a list of unique parameters. */
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
/** As nearly all clients send it. */
const USUAL_TYPE = /^multipart\/form-data; ?boundary=([0-9A-Za-z'()+_\-./:=?]{1,70})$/
const CHARSET = /^[0-9A-Za-z._:+-]*$/

/** The boundary from the Content-Type of a request. */
export function parseBoundary(contentType = ''): string {
  const usual = USUAL_TYPE.exec(contentType)?.[1]
  if (usual !== undefined) return usual
  const type = /^[^;,\s]*/.exec(contentType)?.[0] ?? ''
  if (type.toLowerCase() !== 'multipart/form-data') {
    throw new AppError('unsupported_content_type', 'Send the document as multipart/form-data, in a field named `file`.')
  }
  const rest = contentType.slice(type.length).trimStart()
  const parameters = parseParameters(rest, TYPE_PARAMETER)
  if (parameters === null) throw malformed('the `Content-Type` of the request is invalid')
  const boundary = parameters.get('boundary')?.value ?? ''
  // A parser that implements RFC 2231, or that searches for the word, would find another boundary in another parameter.
  const isAmbiguous = [...parameters].some(
    ([name, { value }]) => name !== 'boundary' && !(name === 'charset' && CHARSET.test(value)),
  )
  if (isAmbiguous || !BOUNDARY.test(boundary)) {
    throw malformed(
      'the `Content-Type` of the request must have one boundary of 1 to 70 characters, and no other parameter than a charset',
    )
  }
  return boundary
}

/** No control characters. Text is latin1 here: one character per byte. */
const PRINTABLE = /^[ -~\u0080-\u00ff]*$/
/** Where a quoted value ends after a backslash, or whether a semicolon in it separates parameters, is read differently. */
const PARAMETER = /^[ -:<-[\]-~\u0080-\u00ff]*$/
const ASCII = /^[ -~]*$/
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN} *(?:;|$)`)
const HEADER_NAME = new RegExp(`^${TOKEN}(?=:)`)
const DISPOSITION = 'content-disposition'
const ENCODINGS = ['content-transfer-encoding', 'content-encoding']
const SINGLE_HEADERS = new Set([DISPOSITION, 'content-type', 'content-length', ...ENCODINGS])
const IDENTITY_ENCODINGS = new Set(['7bit', '8bit', 'binary', 'identity'])
const LENGTH = /^\d{1,15}$/
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor'])

/** In linear time, which a regular expression would not be. */
function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === ' ') start += 1
  while (end > start && text[end - 1] === ' ') end -= 1
  return text.slice(start, end)
}

function parseHeaders(head: string): Map<string, string> {
  const lines = head.split('\r\n', MULTIPART_LIMITS.headersMax + 1)
  if (lines.length > MULTIPART_LIMITS.headersMax)
    throw malformed(`a part has more than ${MULTIPART_LIMITS.headersMax} headers`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    // A folded line starts with a space, so it has no name and is refused.
    const name = HEADER_NAME.exec(line)?.[0].toLowerCase()
    // A file name may contain characters that are removed for display: `parseDisposition` checks that header.
    if (name === undefined || !(name === DISPOSITION || PRINTABLE.test(line))) {
      throw malformed('a header of a part is invalid')
    }
    if (headers.has(name) && SINGLE_HEADERS.has(name)) throw malformed(`a part has more than one header ${name}`)
    headers.set(name, trimSpaces(line.slice(name.length + 1)))
  }
  return headers
}

/** Parses the headers of a part, given as latin1 without the blank line. */
export function parsePart(head: string): Part {
  const headers = parseHeaders(head)
  const type = headers.get('content-type') ?? ''
  if (!ASCII.test(type)) throw malformed('the `Content-Type` of a part must be ASCII')
  if (/^multipart\//i.test(type)) throw malformed('a part must not be multipart itself')
  if (!ENCODINGS.every((header) => IDENTITY_ENCODINGS.has((headers.get(header) ?? 'binary').toLowerCase()))) {
    throw malformed('a part must not have a `Content-Transfer-Encoding` such as base64, or a `Content-Encoding`')
  }
  const length = headers.get('content-length') ?? null
  if (length !== null && !LENGTH.test(length)) throw malformed('the `Content-Length` of a part is invalid')
  const { name, fileName } = parseDisposition(headers.get(DISPOSITION) ?? '')
  if (fileName !== null && type !== '' && !MEDIA_TYPE.test(type)) {
    throw malformed('the `Content-Type` of the file must be a media type such as application/pdf')
  }
  return { name, fileName, type: type || null, length: length === null ? null : Number(length) }
}

function parseDisposition(value: string): { name: string; fileName: string | null } {
  const kind = /^form-data */i.exec(value)?.[0]
  const parameters = kind === undefined ? null : parseParameters(value.slice(kind.length), DISPOSITION_PARAMETER)
  if (parameters === null || /[\r\n]/.test(value)) {
    throw malformed('a part must have a header `Content-Disposition: form-data; name="…"`')
  }
  for (const [known, { value: given }] of parameters) {
    // A parser that implements all of RFC 2231 would read another name.
    const isAmbiguous = known.includes('*') && known !== 'filename*'
    if (isAmbiguous || !(known === 'filename' ? isFileName(given) : PARAMETER.test(given)))
      throw malformed(`the parameter ${known} of a part is invalid`)
  }
  const name = textOf(parameters.get('name')) ?? ''
  if (name === '' || PROTOTYPE_NAMES.has(name) || Buffer.byteLength(name) > MULTIPART_LIMITS.nameBytesMax) {
    throw malformed(`a part must have a valid name of 1 to ${MULTIPART_LIMITS.nameBytesMax} bytes`)
  }
  return { name, fileName: fileNameOf(parameters) }
}

/** PHP ends a name at NUL, and Django ends it at an escaped quote before a semicolon. */
const isFileName = (value: string) => !(value.includes('\0') || (value.includes('\\"') && value.includes(';')))

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
  if (decoded === null) throw malformed('`filename*` must be encoded in UTF-8 as in RFC 5987')
  // .NET sends both, and encodes a name that is not ASCII as an encoded word.
  const [, word] = ENCODED_WORD.exec(plain ?? '') ?? []
  const agrees =
    plain === null || plain === decoded || (word !== undefined && Buffer.from(word, 'base64').toString() === decoded)
  if (!agrees) throw malformed('`filename` and `filename*` differ')
  return decoded
}

function decodePercent(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
