import { PageHead } from '../../components/page-head.tsx'
import { QuotaCard } from './quota-card.tsx'

export default function OverviewPage() {
  return (
    <>
      <PageHead title="Overview" lead="Create an API key, then scan documents with it." />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <QuotaCard />
      </div>
    </>
  )
}
