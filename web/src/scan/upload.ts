/** Uploads a document with its progress, which fetch does not report. */
import { networkProblem, problemFrom } from '../api/problem.ts'
import type { ScanResult } from '../api/schema.ts'

interface UploadOptions {
  /** To open the document. */
  password: string | undefined
  signal: AbortSignal
  onProgress: (loadedBytes: number) => void
  /** The last byte is sent; the verdict is on its way. */
  onSent: () => void
}

/** Rejects with an ApiProblem, or with the reason of the signal. */
export function upload(file: File, { password, signal, onProgress, onSent }: UploadOptions): Promise<ScanResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ScanResult>()
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size))
  request.upload.onload = onSent
  request.onload = () => {
    const { status, responseText } = request
    const body = parse(responseText)
    if (status >= 200 && status < 300 && isScanResult(body)) resolve(body)
    else reject(problemFrom(status, body, (name) => request.getResponseHeader(name)))
  }
  request.onerror = () => reject(networkProblem())
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort(), { once: true })

  const form = new FormData()
  form.set('file', file)
  if (password !== undefined) form.set('password', password)
  request.open('POST', '/api/v1/scan')
  request.send(form)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only a response that states a verdict may be shown as one. */
function isScanResult(body: unknown): body is ScanResult {
  if (typeof body !== 'object' || body === null || !('scanId' in body) || !('status' in body)) return false
  return body.status === 'clean' || body.status === 'infected'
}
