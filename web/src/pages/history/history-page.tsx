/** All scans of the account, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { scansQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { FileSearch, SearchX } from '../../components/icons.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { CsvButton } from './csv-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { toQuery, useFilters } from './filters.ts'
import { HistoryTable } from './history-table.tsx'

export default function HistoryPage() {
  const filters = useFilters()
  const query = toQuery(filters.filters)
  const scans = useInfiniteQuery(scansQuery(query))
  const hasScans = scans.data?.pages.some(({ items }) => items.length > 0)
  return (
    <>
      <PageHead title="History" lead="What was found in each document. The documents themselves are never stored." />
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <FilterBar {...filters} />
        {hasScans && <CsvButton filters={query} />}
      </div>
      <PagedList query={scans} noun="scans" empty={<NothingFound isFiltered={filters.isFiltered} />}>
        {(items) => <HistoryTable scans={items} />}
      </PagedList>
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
