/** Has a service scan in place of the embedded engine. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { PASSWORD_FIELD } from '#base/document-limit.ts'
import { messageOf } from '#base/message-of.ts'
import { Docvet, DocvetError } from '#client/index.ts'
import { STDIN, useNamed } from './files.ts'
import type { Result } from './result.ts'
import type { Scan } from './scan-files.ts'
import { UsageError } from './usage.ts'

/** A folder of many files may wait for its turn under the rate of its plan. */
const TIMEOUT_MS = 300_000
const RETRIES = 100

interface Service {
  url: string
  keyFile: string | null
}

export async function remoteScan(
  { url, keyFile }: Service,
  password: string | undefined,
  signal: AbortSignal,
  keyOfEnvironment: string | undefined,
): Promise<Scan> {
  const key = keyFile === null ? keyOfEnvironment : (await useNamed('key-file', keyFile, readText)).trim()
  if (!key) throw new UsageError('--server needs an API key, in the variable DOCVET_KEY or in --key-file.')
  const docvet = new Docvet({ url, key, timeoutMs: TIMEOUT_MS, retries: RETRIES })
  return async (path, bytes) => {
    const startedMs = performance.now()
    const about = {
      path,
      ...{ sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length },
      detectedType: null,
    }
    const options = { fileName: path === STDIN ? 'stdin' : basename(path), signal, ...(password && { password }) }
    const answer = await docvet.scan(bytes, options).catch((error: unknown) => error)
    const verdict = verdictOf(answer)
    const findings = verdict.verdict === 'infected' ? await findingsOf(scanIdOf(answer), { url, key, signal }) : []
    return { ...about, ...verdict, findings, durationMs: Math.round(performance.now() - startedMs) }
  }
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8')

const scanIdOf = (answer: unknown): string => (answer as Awaited<ReturnType<Docvet['scan']>>).scanId ?? ''

/** From the report of the scan. None if the key may not read it, or the service keeps no reports. */
async function findingsOf(
  scanId: string,
  { url, key, signal }: { url: string; key: string; signal: AbortSignal },
): Promise<Result['findings']> {
  try {
    // Below the path of the URL, as the scan.
    const place = new URL(`api/v1/scans/${encodeURIComponent(scanId)}`, url.endsWith('/') ? url : `${url}/`)
    const response = await fetch(place, { headers: { 'x-api-key': key }, redirect: 'error', signal })
    if (!response.ok) return []
    return ((await response.json()) as { findings: Result['findings'] }).findings
  } catch {
    return []
  }
}

function verdictOf(answer: unknown): Pick<Result, 'verdict' | 'threat' | 'error'> {
  if (answer instanceof Error) {
    // Whatever its reason is, the file is not at fault.
    const why = answer instanceof DocvetError ? `${answer.message} (${answer.code})` : messageOf(answer)
    return { verdict: 'error', threat: null, error: { code: 'engine_unavailable', message: why } }
  }
  const result = answer as Awaited<ReturnType<Docvet['scan']>>
  if (result.status === 'refused') {
    const message = result.detail.replaceAll(PASSWORD_FIELD, 'in the option --password')
    return { verdict: 'error', threat: null, error: { code: result.reason, message } }
  }
  return { verdict: result.status, threat: result.threat, error: null }
}
