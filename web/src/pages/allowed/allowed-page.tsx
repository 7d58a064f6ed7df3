/** Documents that the account trusts although a threat was found in them. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { allowedQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { ShieldCheck } from '../../components/icons.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { AllowedRow } from './allowed-row.tsx'

export default function AllowedPage() {
  return (
    <>
      <PageHead
        title="Allow list"
        lead="Scans of these documents are clean although a threat was found in them. The report keeps it as a notice."
      />
      <PagedList
        query={useInfiniteQuery(allowedQuery)}
        noun="allowed documents"
        empty={
          <Empty icon={ShieldCheck} title="No documents yet">
            If a document that you trust is infected, open its report in the history and allow it there.
          </Empty>
        }
      >
        {(documents) => (
          <ul className="divide-y divide-line">
            {documents.map((document) => (
              <AllowedRow key={document.sha256} document={document} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}
