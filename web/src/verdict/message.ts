/** The message about an infected document to the IT department: everything that it asks for. */
import type { ScanReport } from '../api/schema.ts'
import { utc } from '../format.ts'
import { effectsOf } from './effects.ts'

type Infected = Pick<ScanReport, 'fileName' | 'threat' | 'sha256' | 'scanId' | 'scannedAt' | 'findings'>

/** `origin` of the dashboard. Reports belong to an account, so the message has to do without its link. */
export function messageOf(scan: Infected, origin: string): string {
  const { fileName, threat, sha256, scanId, scannedAt, findings } = scan
  return [
    `Docvet found malware in "${fileName ?? 'a document'}".`,
    ...effectsOf(findings).map(({ text, places }) =>
      places.length === 0 ? text : `${text} Found in ${places.join(', ')}.`,
    ),
    '',
    `File: ${fileName ?? 'without a name'}`,
    `SHA-256: ${sha256}`,
    `Threat: ${threat}`,
    `Scanned: ${utc(scannedAt)}`,
    `Report (opens only in the account that scanned it): ${origin}/history/${scanId}`,
  ].join('\n')
}
