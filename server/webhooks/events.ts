/** Payloads of callbacks. */
import { isoTime } from '#base/iso-time.ts'
import type { Tables } from '#storage/tables.ts'
import type { AnnouncedEvent } from './store.ts'

/** The end of a scan whose client was answered before: what an endpoint gets that does not say more. */
export const SCAN_ENDS = ['scan.completed', 'scan.failed'] as const
export const SCAN_EVENTS = [...SCAN_ENDS, 'scan.infected'] as const
export type ScanEvent = (typeof SCAN_EVENTS)[number]
export const TEST_EVENT = 'webhook.test'

/** A scan with its final state. */
type EndedScan = Pick<
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

const eventOf = (type: ScanEvent, scan: EndedScan, problem: string | null): AnnouncedEvent => ({
  ...{ accountId: scan.account_id, type, body: () => bodyOf(type, dataOf(scan, problem)) },
})

/** Of a scan whose client was answered before. `problem` is the code of one that failed; others have a verdict or an obstacle. */
export const scanEvent = (scan: EndedScan, problem: string | null): AnnouncedEvent =>
  eventOf(problem === null ? 'scan.completed' : 'scan.failed', scan, problem)

/** Also if its client waits for the verdict: alerts are for others than the client. */
export const alertEvent = (scan: EndedScan): AnnouncedEvent => eventOf('scan.infected', scan, null)

export const testEvent = (endpointId: string): string => bodyOf(TEST_EVENT, { endpointId })
