/** Saves the listed scans, older pages included. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import type { ScanFilters } from '../../api/queries.ts'
import type { ScanReport } from '../../api/schema.ts'
import { ProblemBox } from '../../components/problem-box.tsx'
import { saveText, toCsv } from '../../csv.ts'

const ROWS_MAX = 10_000
const PAGE_ROWS = 100
const COLUMNS = ['Scanned (UTC)', 'File', 'Verdict', 'Threat', 'Size', 'Type', 'SHA-256', 'Key', 'Scan'] as const

async function allScans(filters: ScanFilters): Promise<ScanReport[]> {
  const scans: ScanReport[] = []
  for (let cursor: string | null | undefined; cursor !== null && scans.length < ROWS_MAX; ) {
    const page = await call('GET /api/v1/scans', {
      query: { ...filters, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) },
    })
    scans.push(...page.items)
    cursor = page.nextCursor
  }
  return scans
}

const rowOf = (scan: ScanReport) => [
  scan.scannedAt,
  scan.fileName ?? '',
  scan.status ?? `not scanned (${scan.obstacle})`,
  scan.threat ?? '',
  scan.fileSize,
  scan.detectedType,
  scan.sha256,
  scan.keyId,
  scan.scanId,
]

export function CsvButton({ filters }: { filters: ScanFilters }) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  async function save(): Promise<void> {
    setState({ isBusy: true })
    try {
      const scans = await allScans(filters)
      saveText('docvet-scans.csv', 'text/csv', toCsv([COLUMNS, ...scans.map(rowOf)]))
      setState({ isBusy: false })
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }
  return (
    <div>
      {state.error !== undefined && (
        <ProblemBox problem={toProblem(state.error)} what="The scans could not be saved." retry={save} />
      )}
      <button type="button" className="btn btn-ghost h-9" disabled={state.isBusy} onClick={save}>
        <Download size={14} aria-hidden />
        {state.isBusy ? 'Preparing…' : 'CSV'}
      </button>
    </div>
  )
}
