/** Saves the listed scans, older pages included. */
import { Download } from 'lucide-react'
import { call } from '../../api/client.ts'
import type { ScanFilters } from '../../api/queries.ts'
import type { ScanList, ScanReport } from '../../api/schema.ts'
import { ProblemBox } from '../../components/problem-box.tsx'
import { toCsv } from '../../csv.ts'
import { count } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { saveText } from '../../save-text.ts'

const ROWS_MAX = 10_000
const PAGE_ROWS = 100
const COLUMNS = ['Scanned (UTC)', 'File', 'Verdict', 'Threat', 'Size', 'Type', 'SHA-256', 'Key', 'Scan'] as const

/** The newest ones; `isCut` if there are more. */
async function newestScans(filters: ScanFilters): Promise<{ scans: ScanReport[]; isCut: boolean }> {
  const scans: ScanReport[] = []
  let cursor: string | null = null
  do {
    const page: ScanList = await call('GET /api/v1/scans', {
      query: { ...filters, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
    })
    scans.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && scans.length < ROWS_MAX)
  return { scans, isCut: cursor !== null }
}

const rowOf = (scan: ScanReport) => [
  scan.scannedAt,
  scan.fileName ?? '',
  scan.status ?? `not scanned (${scan.obstacle})`,
  scan.threat ?? '',
  scan.fileSize,
  scan.detectedType ?? '',
  scan.sha256 ?? '',
  scan.keyId,
  scan.scanId,
]

export function CsvButton({ filters }: { filters: ScanFilters }) {
  const { run, isPending, problem, result } = useAction(async () => {
    const { scans, isCut } = await newestScans(filters)
    saveText('docvet-scans.csv', 'text/csv', toCsv([COLUMNS, ...scans.map(rowOf)]))
    return isCut ? `Saved the newest ${count(ROWS_MAX)}. Choose dates to save older ones.` : ''
  })
  return (
    <div className="flex flex-wrap items-center gap-y-3">
      {problem && <ProblemBox problem={problem} what="The scans could not be saved." />}
      <p role="status" className="text-sm text-fg-2 not-empty:mr-3">
        {result}
      </p>
      <button type="button" className="btn btn-ghost h-9" disabled={isPending} onClick={() => run(undefined)}>
        <Download size={14} aria-hidden />
        {isPending ? 'Preparing…' : 'CSV'}
      </button>
    </div>
  )
}
