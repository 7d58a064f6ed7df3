/** Decides on the files of one request, for every framework. */
import type { DocvetError, Refusal } from './errors.ts'
import type { Docvet, ScanResult } from './index.ts'
import type { Input } from './input.ts'

export interface GateOptions {
  /** What happens to files while the service gives no verdicts. Default: `block`. What a file may cause itself blocks in either case. */
  onFailure?: 'block' | 'allow'
  /** How many files of a request are scanned at once. Default: 2. */
  concurrency?: number
  /** What happens to requests with a body that is no form, such as JSON: nothing in it is scanned. Default: `block`, with 415. */
  otherBodies?: 'block' | 'allow'
}

/** A file of a request that was let through. `failed`: only with `onFailure: 'allow'`, and not known to be clean. */
export type FileVerdict = { fileName: string } & (ScanResult | { status: 'failed'; error: DocvetError })

export interface Blocked {
  status: 400 | 415 | 422 | 503
  /** Problem details, by RFC 9457. */
  body: { status: number; title: string; code: string; detail: string; fileName?: string }
}

interface Decision {
  verdicts: FileVerdict[]
  blocked: Blocked | null
}

export interface Upload {
  fileName: string
  input: Input
}

/** What this needs to know of a request of Node. */
export interface Incoming {
  method?: string
  headers?: Readonly<Record<string, unknown>>
  httpVersionMajor?: number
}

export const NO_FORM: Blocked = {
  status: 415,
  body: {
    status: 415,
    title: 'Unsupported content type',
    code: 'unsupported_content_type',
    detail: 'Send documents as files of a form (multipart/form-data).',
  },
}
const FORM = /^multipart\/form-data *(?:;|$)/i
const FIELDS = /^application\/x-www-form-urlencoded *(?:;|$)/i
const WITHOUT_BODY = ['GET', 'HEAD']

export const isForm = (contentType: string): boolean => FORM.test(contentType) || FIELDS.test(contentType)

/** Also of one that no parser has read yet. */
function hasBody({ method, headers = {}, httpVersionMajor = 1 }: Incoming, body: unknown): boolean {
  if (isBytes(body)) return true
  const length = headers['content-length']
  if (length !== undefined) return Number(length) !== 0
  if (headers['transfer-encoding'] !== undefined) return true
  // There, bodies need no header.
  return httpVersionMajor > 1 && !WITHOUT_BODY.includes(method ?? '')
}

const isBytes = (body: unknown): boolean => typeof body === 'string' || ArrayBuffer.isView(body)

/** Its files are not found where the body is something else than a form, and that may be the document itself. */
export function notAForm(request: Incoming, body: unknown, { otherBodies }: GateOptions): Blocked | null {
  if (otherBodies === 'allow' || !hasBody(request, body)) return null
  const type = String(request.headers?.['content-type'])
  const isRead = typeof body === 'object' && body !== null && !isBytes(body)
  return FORM.test(type) ? (isBytes(body) ? NO_FORM : null) : FIELDS.test(type) && isRead ? null : NO_FORM
}

/** For who sent the file; what the service says is for who called it, and in the verdict. */
const REFUSED: Readonly<Record<Refusal, string>> = {
  encrypted_document: 'The document is encrypted. Send a copy without a password.',
  document_too_complex: 'The document is too complex to be scanned.',
  damaged_document: 'The document is damaged. Send another copy.',
  unsupported_content_type: 'Files of this type are not accepted.',
  file_too_large: 'The file is too large.',
  empty_file: 'The file is empty.',
}

const CONCURRENCY = 2
/** Answers that a file or its name can bring about. */
const OF_FILE = { statuses: [400, 409, 413, 415, 422, 431], codes: ['scan_timeout'] }

const isOfFile = ({ status, code }: DocvetError): boolean =>
  OF_FILE.statuses.includes(status ?? 0) || OF_FILE.codes.includes(code)

export async function decide(
  docvet: Docvet,
  uploads: readonly Upload[],
  { onFailure = 'block', concurrency = CONCURRENCY }: GateOptions,
): Promise<Decision> {
  if (!(concurrency >= 1)) throw new TypeError('`concurrency` must be 1 or more')
  const waiting = [...uploads.entries()]
  // In the order of the files, because names may be the same.
  const verdicts: FileVerdict[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      verdicts[next[0]] = await verdictOf(docvet, next[1])
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, uploads.length) }, work))
  const blocked = verdicts.map((each) => blockedBy(each, onFailure)).find((each) => each !== null)
  return { verdicts, blocked: blocked ?? null }
}

async function verdictOf(docvet: Docvet, { fileName, input }: Upload): Promise<FileVerdict> {
  try {
    return { fileName, ...(await docvet.scan(input, { fileName })) }
  } catch (error) {
    // By its name, because a program may load this package as ESM and as CommonJS.
    if (!(error instanceof Error) || error.name !== 'DocvetError') throw error
    return { fileName, status: 'failed', error: error as DocvetError }
  }
}

function blockedBy(verdict: FileVerdict, onFailure: 'block' | 'allow'): Blocked | null {
  const { fileName } = verdict
  const problem = (status: 422 | 503, code: string, title: string, detail: string): Blocked => ({
    status,
    body: { status, title, code, detail, fileName },
  })
  switch (verdict.status) {
    case 'clean':
      return null
    case 'infected':
      // The name of the threat is for the log: it helps only an attacker.
      return problem(422, 'infected_document', 'Infected document', 'The document is infected.')
    case 'refused':
      return problem(422, verdict.reason, 'Document refused', REFUSED[verdict.reason])
    default:
      if (onFailure === 'allow' && !isOfFile(verdict.error)) return null
      return problem(503, 'scan_failed', 'Document not scanned', 'The document could not be scanned. Try again later.')
  }
}
