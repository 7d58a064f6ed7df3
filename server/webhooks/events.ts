/** Payloads of callbacks. */
import { isoTime } from '#base/iso-time.ts'
import type { Tables } from '#storage/tables.ts'

/** The end of a scan whose client was answered before: what an endpoint gets that does not say more. */
export const SCAN_ENDS = ['scan.completed', 'scan.failed'] as const
export const SCAN_EVENTS = [...SCAN_ENDS, 'scan.infected'] as const
export type ScanEvent = (typeof SCAN_EVENTS)[number]
export const TEST_EVENT = 'webhook.test'

/** A scan with its final state. */
export type EndedScan = Pick<
  Tables['scans'],
  'id' | 'account_id' | 'verdict' | 'threat' | 'obstacle' | 'sha256' | 'size' | 'file_name' | 'reference'
>

const bodyOf = (type: string, data: object): string => JSON.stringify({ type, timestamp: isoTime(Date.now()), data })

function dataOf(scan: EndedScan, problem: string | null) {
  return {
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
}

/** `problem` is the code of a scan that failed; others have a verdict or an obstacle. */
export function scanEvent(scan: EndedScan, problem: string | null): { type: ScanEvent; body: () => string } {
  const type = problem === null ? 'scan.completed' : 'scan.failed'
  return { type, body: () => bodyOf(type, dataOf(scan, problem)) }
}

export const alertEvent = (scan: EndedScan): { type: ScanEvent; body: () => string } => ({
  type: 'scan.infected',
  body: () => bodyOf('scan.infected', dataOf(scan, null)),
})

export const testEvent = (endpointId: string): string => bodyOf(TEST_EVENT, { endpointId })
