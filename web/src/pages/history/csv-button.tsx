/** Saves the listed scans, older pages included. */

import { call } from '../../api/client.ts'
import { keysQuery, type ScanFilters } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import type { ScanList, ScanReport } from '../../api/schema.ts'
import { Download } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { count } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { saveText } from '../../save-text.ts'
import { csvOf } from './scans-csv.ts'

const ROWS_MAX = 10_000
const PAGE_ROWS = 100

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

export function CsvButton({ filters }: { filters: ScanFilters }) {
  const { run, isPending, problem, result } = useAction(async () => {
    const [{ scans, isCut }, keys] = await Promise.all([newestScans(filters), queryClient.fetchQuery(keysQuery)])
    saveText('docvet-scans.csv', 'text/csv', csvOf(scans, keys))
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
