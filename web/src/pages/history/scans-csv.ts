/** The listed scans as a table for spreadsheets, in the words of the page. */
import type { ApiKeySummary, ScanReport } from '../../api/schema.ts'
import { toCsv } from '../../csv.ts'
import { outcomeOf } from '../../verdict/outcome.ts'

const COLUMNS = ['Scanned (UTC)', 'File', 'Verdict', 'Threat', 'Size', 'Type', 'SHA-256', 'Key', 'Scan'] as const

function verdictOf(scan: ScanReport): string {
  const outcome = outcomeOf(scan)
  if (outcome === 'test') return 'test file'
  if (outcome === 'open') return 'in progress'
  return scan.status ?? `not scanned (${scan.obstacle ?? scan.state})`
}

export function csvOf(scans: readonly ScanReport[], keys: readonly Pick<ApiKeySummary, 'id' | 'name'>[]): string {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const rows = scans.map((scan) => [
    scan.scannedAt,
    scan.fileName ?? '',
    verdictOf(scan),
    scan.threat ?? '',
    scan.fileSize,
    scan.detectedType ?? '',
    scan.sha256 ?? '',
    names.get(scan.keyId) ?? 'Deleted key',
    scan.scanId,
  ])
  return toCsv([COLUMNS, ...rows])
}
