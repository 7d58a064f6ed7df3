/** The client of a Docvet service. A document is clean only if the service says so in exactly these words. */
import { type Outcome, PAUSE_MS, read, type ScanResult, textOf } from './answer.ts'
import { DocvetError, InfectedError, UnscannableError } from './errors.ts'
import { type Form, formOf, type Input } from './input.ts'

export type { ScanResult } from './answer.ts'
export type { Operations, ProblemCode } from './api.ts'
export { DocvetError, type FailureCode, InfectedError, type Refusal, UnscannableError } from './errors.ts'
export type { Input } from './input.ts'
export { verifyWebhook, WebhookError } from './webhook.ts'

export interface DocvetOptions {
  /** Of the service. Default: the variable DOCVET_URL. */
  url?: string
  /** The API key. Default: the variable DOCVET_KEY. */
  key?: string
  /** For a scan with all its repetitions. Default: 60,000. */
  timeoutMs?: number
  /** How often a scan is repeated that the service could not do. Default: 3. */
  retries?: number
  /** In place of the global `fetch`. */
  fetch?: typeof fetch
}

export interface ScanOptions {
  /** Default: the name of the file or path. It may decide in which language a script is read. */
  fileName?: string
  /** Opens an encrypted document. */
  password?: string
  /** Your own name for the document, stored with the report. */
  reference?: string
  signal?: AbortSignal
}

const TIMEOUT_MS = 60_000
const RETRIES = 3

export class Docvet {
  readonly #url: string
  readonly #key: string
  readonly #timeoutMs: number
  readonly #retries: number
  readonly #fetch: typeof fetch

  constructor(options: DocvetOptions = {}) {
    if ('window' in globalThis && 'document' in globalThis)
      throw new TypeError('Do not use @docvet/client in a browser: everybody could read the API key')
    const env: Record<string, string | undefined> = globalThis.process?.env ?? {}
    const { url = env.DOCVET_URL, key = env.DOCVET_KEY } = options
    if (!url) throw new TypeError('No URL: pass `url`, or set DOCVET_URL')
    if (!key) throw new TypeError('No API key: pass `key`, or set DOCVET_KEY')
    this.#url = new URL('api/v1/scan', url.endsWith('/') ? url : `${url}/`).href
    this.#key = key
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#retries = options.retries ?? RETRIES
    this.#fetch = options.fetch ?? fetch
  }

  /** Rejects with `DocvetError` where there is no verdict; never with a value that could pass for one. */
  async scan(input: Input, { fileName, password, reference, signal }: ScanOptions = {}): Promise<ScanResult> {
    const fields = Object.entries({ password, reference }).filter(
      (field): field is [string, string] => field[1] !== undefined,
    )
    const form = formOf(input, fileName, fields)
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const failures: DocvetError[] = []
    try {
      return await this.#repeat(form, either, failures)
    } catch (error) {
      if (!(error instanceof DocvetError) && !timeout.aborted) throw error
      // The document may be its cause: no later failure may hide that, because gates let some of those pass.
      const scanTimeout = failures.find(({ code }) => code === 'scan_timeout')
      if (scanTimeout !== undefined) throw scanTimeout
      if (error instanceof DocvetError) throw error
      throw new DocvetError('timeout', `No verdict within ${this.#timeoutMs} ms`, null, error)
    }
  }

  async #repeat(form: Form, signal: AbortSignal, failures: DocvetError[]): Promise<ScanResult> {
    const deadlineMs = performance.now() + this.#timeoutMs
    // The same for every attempt, so that the account is charged once.
    const attemptKey = crypto.randomUUID()
    for (let left = form.isRepeatable ? this.#retries : 0; ; left--) {
      const outcome = await this.#attempt(form, attemptKey, signal)
      if ('result' in outcome) return outcome.result
      const { error, pauseMs } = outcome
      failures.push(error)
      if (pauseMs === null || left <= 0 || performance.now() + pauseMs >= deadlineMs) throw error
      await pause(pauseMs, signal)
    }
  }

  /** Resolves only for a clean document. */
  async assertClean(input: Input, options?: ScanOptions): Promise<void> {
    const { status, threat, reason, detail, scanId } = await this.scan(input, options)
    if (status === 'infected') throw new InfectedError(threat, scanId)
    if (status === 'refused') throw new UnscannableError(reason, detail)
  }

  async #attempt(form: Form, key: string, signal: AbortSignal): Promise<Outcome> {
    const body = await form.body()
    let response: Response
    let text: string
    try {
      response = await this.#fetch(this.#url, {
        method: 'POST',
        headers: { 'X-API-Key': this.#key, 'Idempotency-Key': key, 'Content-Type': form.contentType },
        body,
        // The key is for this service only.
        redirect: 'error',
        signal,
        ...(!(body instanceof Blob) && { duplex: 'half' }),
      } as RequestInit)
      text = await textOf(response)
    } catch (error) {
      if (form.readError() !== undefined) throw form.readError()
      if (signal.aborted || error instanceof DocvetError) throw error
      const why = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
      const failure = new DocvetError('unreachable', `The service cannot be reached${why}`, null, error)
      return { error: failure, pauseMs: PAUSE_MS }
    }
    return read(response, text, form.documentBytes())
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
