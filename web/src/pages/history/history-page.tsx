/** All scans of the account, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { FileSearch, SearchX } from 'lucide-react'
import { Link } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { scansQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { CsvButton } from './csv-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { toQuery, useFilters } from './filters.ts'
import { HistoryTable } from './history-table.tsx'

export default function HistoryPage() {
  const filters = useFilters()
  const scans = useInfiniteQuery(scansQuery(toQuery(filters.filters)))
  const items = scans.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHead title="History" lead="What was found in each document. The documents themselves are never stored." />
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <FilterBar {...filters} />
        {items.length > 0 && <CsvButton filters={toQuery(filters.filters)} />}
      </div>
      <section className="card overflow-hidden" aria-label="Scans">
        {scans.isPending && <Skeleton className="m-5 h-64" />}
        {scans.isError && (
          <div className="p-5">
            <ProblemBox
              problem={toProblem(scans.error)}
              what="The scans could not be loaded."
              retry={() => scans.refetch()}
            />
          </div>
        )}
        {scans.isSuccess && items.length === 0 && <NothingFound isFiltered={filters.isFiltered} />}
        {items.length > 0 && <HistoryTable scans={items} />}
      </section>
      {scans.hasNextPage && (
        <div className="mt-4 text-center">
          <button
            type="button"
            className="btn btn-ghost"
            disabled={scans.isFetchingNextPage}
            onClick={() => scans.fetchNextPage()}
          >
            {scans.isFetchingNextPage ? 'Loading…' : 'Show older scans'}
          </button>
        </div>
      )}
      <p role="status" className="sr-only">
        {scans.isSuccess && `${items.length} scans listed`}
      </p>
    </>
  )
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon={SearchX} title="No scans match these filters">
        Change or clear them to see more.
      </Empty>
    )
  }
  return (
    <Empty icon={FileSearch} title="No scans yet">
      Results appear here, files do not.{' '}
      <Link href="/scan" className="link">
        Scan a document
      </Link>
    </Empty>
  )
}
