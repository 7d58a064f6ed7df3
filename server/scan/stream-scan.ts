/** A scan for a listener: of a stream, and with a result for every ending. */
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Scan, ScanLogFields, ScanRequest } from './scan.ts'
import { type DocumentStream, streamSource } from './source.ts'
import { UploadAborted } from './upload.ts'
import { PassedContent } from './verdict.ts'

interface StreamScanRequest extends Pick<ScanRequest, 'principal' | 'other' | 'requestId' | 'gone'> {
  document: DocumentStream
}

export type StreamScanResult = { logFields: ScanLogFields } & (
  | { kind: 'clean' }
  | { kind: 'infected'; threat: string }
  /** By `OtherContent.pass`. */
  | { kind: 'passed' }
  /** `isUnread`: no byte of the stream was read, so that the scan can be repeated with it. */
  | { kind: 'refused'; code: ErrorCode; retryAfterSeconds: number | undefined; isUnread: boolean }
  | { kind: 'aborted' }
)

export type StreamScan = (request: StreamScanRequest) => Promise<StreamScanResult>

/** Never rejects. */
export function createStreamScan(scan: Scan, log: Log): StreamScan {
  return async ({ document, ...request }) => {
    const logFields: ScanLogFields = { verdict: null, threat: null, engineMs: null, sizeBytes: null }
    const source = streamSource(document)
    let isUnread = true
    const receive: typeof source.receive = (options) => {
      isUnread = false
      return source.receive(options)
    }
    try {
      const { status, threat } = await scan({ ...request, logFields, source: { ...source, receive } })
      if (status === 'clean') return { kind: 'clean', logFields }
      return { kind: 'infected', threat: threat ?? '', logFields }
    } catch (error) {
      const ended = endingOf(error)
      if (ended === null) log.error({ err: error, requestId: request.requestId }, 'Scan failed')
      return { logFields, isUnread, ...(ended ?? UNEXPECTED) }
    }
  }
}

const UNEXPECTED = { kind: 'refused', code: 'internal_error', retryAfterSeconds: undefined } as const

/** Null for an error that no scan should throw. */
function endingOf(error: unknown) {
  if (error instanceof UploadAborted) return { kind: 'aborted' } as const
  if (error instanceof PassedContent) return { kind: 'passed' } as const
  if (!(error instanceof AppError)) return null
  const { code, retryAfterSeconds } = error
  return { kind: 'refused', code, retryAfterSeconds } as const
}
