/** Decides on the files of one request, for every framework. */
import type { DocvetError } from './errors.ts'
import type { Docvet, ScanResult } from './index.ts'
import type { Input } from './input.ts'

export interface GateOptions {
  /** What happens to files while the service gives no verdicts. Default: `block`. What a file may cause itself blocks in either case. */
  onFailure?: 'block' | 'allow'
  /** How many files of a request are scanned at once. Default: 2. */
  concurrency?: number
}

/** A file of a request that was let through. `failed`: only with `onFailure: 'allow'`, and not known to be clean. */
export type FileVerdict = { fileName: string } & (ScanResult | { status: 'failed'; error: DocvetError })

interface Blocked {
  status: 422 | 503
  /** Problem details, by RFC 9457. */
  body: { status: number; title: string; code: string; detail: string; fileName: string }
}

type Decision = { verdicts: FileVerdict[]; blocked: null } | { verdicts: FileVerdict[]; blocked: Blocked }

export interface Upload {
  fileName: string
  input: Input
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
      return problem(422, verdict.reason, 'Document refused', verdict.detail)
    default:
      if (onFailure === 'allow' && !isOfFile(verdict.error)) return null
      return problem(503, 'scan_failed', 'Document not scanned', 'The document could not be scanned. Try again later.')
  }
}
