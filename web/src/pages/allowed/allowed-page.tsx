/** Documents that the account trusts although a threat was found in them. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { toProblem } from '../../api/problem.ts'
import { allowedQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { AllowedRow } from './allowed-row.tsx'

export default function AllowedPage() {
  const allowed = useInfiniteQuery(allowedQuery)
  const documents = allowed.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHead
        title="Allow list"
        lead="Scans of these documents are clean although a threat was found in them. The report keeps it as a notice."
      />
      <section className="card overflow-hidden" aria-label="Allowed documents">
        {allowed.isPending && <Skeleton className="m-5 h-40" />}
        {allowed.isError && (
          <div className="p-5">
            <ProblemBox
              problem={toProblem(allowed.error)}
              what="The allow list could not be loaded."
              retry={() => allowed.refetch()}
            />
          </div>
        )}
        {allowed.isSuccess && documents.length === 0 && (
          <Empty icon={ShieldCheck} title="No documents yet">
            If a document that you trust is infected, open its report in the history and allow it there.
          </Empty>
        )}
        {documents.length > 0 && (
          <ul className="divide-y divide-line">
            {documents.map((document) => (
              <AllowedRow key={document.sha256} document={document} />
            ))}
          </ul>
        )}
      </section>
      {allowed.hasNextPage && (
        <div className="mt-4 text-center">
          <button
            type="button"
            className="btn btn-ghost"
            disabled={allowed.isFetchingNextPage}
            onClick={() => allowed.fetchNextPage()}
          >
            {allowed.isFetchingNextPage ? 'Loading…' : 'Show older entries'}
          </button>
        </div>
      )}
    </>
  )
}
