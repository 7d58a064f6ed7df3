/** Has a service scan in place of the embedded engine. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { PASSWORD_FIELD } from '#base/document-limit.ts'
import { messageOf } from '#base/message-of.ts'
import { Docvet, DocvetError, type ScanOptions, type ScanResult } from '#client/index.ts'
import { STDIN, useNamed } from './files.ts'
import { requireService, urlOf } from './reach.ts'
import type { Result } from './result.ts'
import type { Scan } from './scan-files.ts'
import { UsageError } from './usage.ts'

/** A folder of many files may wait for its turn under the rate of its plan. */
export const OF_MANY_FILES = { timeoutMs: 300_000, retries: 100 }
/** While the service is gone, this is how often it is asked. */
const OUTAGE_PAUSE_MS = 5_000

interface Service {
  url: string
  keyFile: string | null
}

interface Context {
  password: string | undefined
  signal: AbortSignal
  keyOfEnvironment: string | undefined
  /** How long a scan may wait. Default: as the client. */
  patience?: { timeoutMs: number; retries: number }
}

/** Throws `UsageError` where no file could be scanned, because of the URL or the key. */
export async function remoteScan({ url, keyFile }: Service, context: Context): Promise<Scan> {
  const { password, signal, keyOfEnvironment, patience } = context
  const key = keyFile === null ? keyOfEnvironment : (await useNamed('key-file', keyFile, readText)).trim()
  if (!key) throw new UsageError('--server needs an API key, in the variable DOCVET_KEY or in --key-file.')
  await requireService({ url, key, signal })
  const attemptOf =
    (docvet: Docvet): Attempt =>
    (bytes, options) =>
      docvet.scan(bytes, options).catch((error) => error)
  const attempt = acrossOutages(
    attemptOf(new Docvet({ url, key, ...patience })),
    attemptOf(new Docvet({ url, key, retries: 0 })),
  )
  return async (path, bytes) => {
    const startedMs = performance.now()
    const about = {
      path,
      ...{ sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length },
      detectedType: null,
    }
    const options = { fileName: path === STDIN ? 'stdin' : basename(path), signal, ...(password && { password }) }
    const answer = await attempt(bytes, options)
    const verdict = verdictOf(answer)
    const findings = verdict.verdict === 'infected' ? await findingsOf(scanIdOf(answer), { url, key, signal }) : []
    return { ...about, ...verdict, findings, durationMs: Math.round(performance.now() - startedMs) }
  }
}

type Attempt = (bytes: Buffer, options: ScanOptions) => Promise<ScanResult | Error>

const isOutage = (answer: ScanResult | Error): boolean =>
  answer instanceof DocvetError && (answer.code === 'unreachable' || answer.code === 'timeout')

/** The service is waited for once; until it is back, other files end at once, or many of them would wait for hours. */
export function acrossOutages(patient: Attempt, quick: Attempt, now = () => performance.now()): Attempt {
  let outage: { answer: ScanResult | Error; untilMs: number } | null = null
  return async (bytes, options) => {
    if (outage !== null && now() < outage.untilMs) return outage.answer
    const answer = await (outage === null ? patient : quick)(bytes, options)
    // The first may be the fault of its document, so that the next is tried.
    const pauseMs = outage === null ? 0 : OUTAGE_PAUSE_MS
    outage = isOutage(answer) ? { answer, untilMs: now() + pauseMs } : null
    return answer
  }
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8')

const scanIdOf = (answer: ScanResult | Error): string => (answer instanceof Error ? null : answer.scanId) ?? ''

/** From the report of the scan. None if the key may not read it, or the service keeps no reports. */
async function findingsOf(
  scanId: string,
  { url, key, signal }: { url: string; key: string; signal: AbortSignal },
): Promise<Result['findings']> {
  try {
    const response = await fetch(urlOf(url, `api/v1/scans/${encodeURIComponent(scanId)}`), {
      headers: { 'x-api-key': key },
      redirect: 'error',
      signal,
    })
    if (!response.ok) return []
    return ((await response.json()) as { findings: Result['findings'] }).findings
  } catch {
    return []
  }
}

function verdictOf(answer: ScanResult | Error): Pick<Result, 'verdict' | 'threat' | 'error'> {
  if (answer instanceof Error) {
    // Whatever its reason is, the file is not at fault.
    const why = answer instanceof DocvetError ? `${answer.message} (${answer.code})` : messageOf(answer)
    return { verdict: 'error', threat: null, error: { code: 'engine_unavailable', message: why } }
  }
  if (answer.status === 'refused') {
    const message = answer.detail.replaceAll(PASSWORD_FIELD, 'in the option --password')
    return { verdict: 'error', threat: null, error: { code: answer.reason, message } }
  }
  return { verdict: answer.status, threat: answer.threat, error: null }
}
