/** Payloads of callbacks. */
import { isoTime } from '#base/iso-time.ts'
import type { Tables } from '#storage/tables.ts'

export const SCAN_EVENTS = ['scan.completed', 'scan.failed'] as const
export type ScanEvent = (typeof SCAN_EVENTS)[number]
export const TEST_EVENT = 'webhook.test'

/** A scan with its final state. */
export type EndedScan = Pick<
  Tables['scans'],
  'id' | 'account_id' | 'verdict' | 'threat' | 'obstacle' | 'sha256' | 'size' | 'file_name' | 'reference'
>

const bodyOf = (type: string, data: object): string => JSON.stringify({ type, timestamp: isoTime(Date.now()), data })

/** `problem` is the code of a scan that failed; others have a verdict or an obstacle. */
export function scanEvent(scan: EndedScan, problem: string | null): { type: ScanEvent; body: () => string } {
  const type = problem === null ? 'scan.completed' : 'scan.failed'
  const data = {
    scanId: scan.id,
    reference: scan.reference,
    status: problem !== null || scan.verdict === 'refused' ? null : scan.verdict,
    threat: scan.threat,
    obstacle: scan.obstacle,
    problem,
    sha256: scan.sha256 || null,
    size: scan.size,
    fileName: scan.file_name,
  }
  return { type, body: () => bodyOf(type, data) }
}

export const testEvent = (endpointId: string) => () => bodyOf(TEST_EVENT, { endpointId })
