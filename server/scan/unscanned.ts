/** The report of a document that was refused before it was inspected: not supported, empty or too large. */
import { AppError, type ErrorCode } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { FileInfo, Received } from './collector.ts'
import { UnsupportedDocument } from './document-type.ts'
import { displayFileName } from './file-name.ts'
import type { OpenScan } from './open-scans.ts'
import type { NewScan } from './store.ts'

/** Facts about the document of a request, as it arrives. */
export interface Seen {
  startedAt: number
  /** Length of the request, if it said so. */
  declaredBytes: number
  file: FileInfo | null
  received: Pick<Received, 'size' | 'sha256' | 'reference'> | null
  /** If the client was answered before the verdict. */
  open: OpenScan | null
}

/** A new one, unless the client knows it. */
export const scanIdOf = ({ open }: Pick<Seen, 'open'>): string => open?.scanId ?? newId()

const OBSTACLES: Partial<Record<ErrorCode, NewScan['obstacle']>> = {
  unsupported_content_type: 'unsupported',
  empty_file: 'empty',
  file_too_large: 'too_large',
}

export const newSeen = ({ declaredBytes }: { declaredBytes: number | null }, open: OpenScan | null = null): Seen => ({
  startedAt: Date.now(),
  declaredBytes: declaredBytes ?? 0,
  file: null,
  received: null,
  open,
})

/** A document that the dashboard did not upload, because it is too large. */
export function notUploadedRow(
  { keyId, accountId }: { keyId: string; accountId: string },
  { fileName, fileSize }: { fileName: string; fileSize: number },
): NewScan | null {
  const file = { fileName: displayFileName(fileName), declaredType: null }
  const seen: Seen = { startedAt: Date.now(), declaredBytes: fileSize, file, received: null, open: null }
  return unscannedRow({ keyId, accountId }, seen, new AppError('file_too_large', ''))
}

/** Null for any other error, and for a request without a document. */
export function unscannedRow(
  { keyId, accountId }: { keyId: string; accountId: string },
  { startedAt, declaredBytes, file, received, open }: Seen,
  error: unknown,
): NewScan | null {
  const obstacle = error instanceof AppError ? (OBSTACLES[error.code] ?? null) : null
  // A document that is too large is refused by the length of the request, before its name is known.
  if (obstacle === null || (file === null && obstacle !== 'too_large')) return null
  return {
    ...{ id: scanIdOf({ open }), key_id: keyId, account_id: accountId, verdict: 'refused', obstacle },
    ...{ file_name: file?.fileName ?? null, content_type: file?.declaredType ?? null },
    ...{ threat: null, engine: null, path: null, engines: '[]', findings: null },
    ...{
      sha256: received?.sha256 ?? '',
      size: obstacle === 'empty' ? 0 : (received?.size ?? file?.bytes ?? declaredBytes),
    },
    type: error instanceof UnsupportedDocument ? error.type : '',
    ...{ started_at: startedAt, finished_at: Date.now(), reference: received?.reference ?? null },
  }
}
