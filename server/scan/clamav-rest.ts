/** The answers of clamav-rest, for programs that were written for it. */
import { AppError, type ErrorCode } from '#base/errors.ts'

interface Entry {
  Status: 'OK' | 'FOUND' | 'ERROR' | 'PARSE ERROR'
  Description: string
  FileName: string
}

interface RestAnswer {
  status: number
  body: [Entry]
}

/** Documents without a verdict that clamav-rest has an answer for. Everything else is a problem of the service itself. */
const REFUSALS: Partial<Record<ErrorCode, { status: number; Status: Entry['Status'] }>> = {
  file_too_large: { status: 413, Status: 'ERROR' },
  encrypted_document: { status: 412, Status: 'PARSE ERROR' },
  document_too_complex: { status: 412, Status: 'PARSE ERROR' },
  damaged_document: { status: 412, Status: 'PARSE ERROR' },
  unsupported_content_type: { status: 412, Status: 'PARSE ERROR' },
}

const answer = (status: number, Status: Entry['Status'], Description: string, FileName: string): RestAnswer => ({
  status,
  body: [{ Status, Description, FileName }],
})

export function restAnswer(result: {
  status: 'clean' | 'infected'
  threat: string | null
  fileName: string
}): RestAnswer {
  const { status, threat, fileName } = result
  return status === 'clean' ? answer(200, 'OK', '', fileName) : answer(406, 'FOUND', threat ?? '', fileName)
}

/** Null for an error that is answered like those of all other routes. */
export function restRefusal(error: unknown): RestAnswer | null {
  const refusal = error instanceof AppError ? REFUSALS[error.code] : undefined
  return refusal ? answer(refusal.status, refusal.Status, (error as AppError).message, '') : null
}
