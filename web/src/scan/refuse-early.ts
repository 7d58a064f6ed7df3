/** Refuses a document that cannot be scanned, before it is uploaded. */
import { ApiProblem } from '../api/problem.ts'

/** The same limit as the service has: 25 MB, inclusive. */
const BYTES_MAX = 26_214_400

export function refuseEarly({ size }: File): ApiProblem | null {
  if (size <= BYTES_MAX) return null
  return new ApiProblem({
    status: 413,
    code: 'file_too_large',
    title: 'This file is too large',
    detail: 'The limit is 25 MB per document. Nothing was uploaded.',
  })
}

/** A folder, or a file that was moved or changed after it was chosen. */
export function unreadable(): never {
  throw new ApiProblem({
    status: 0,
    code: 'unknown',
    title: 'This file cannot be read',
    detail: 'It may be a folder, or it was moved or changed after you chose it. Choose it again.',
  })
}
