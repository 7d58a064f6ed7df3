import { PageHead } from '../../components/page-head.tsx'
import { Scanner } from '../../scan/scanner.tsx'
import { FirstSteps, useIsNew } from './first-steps.tsx'
import { KeysSummary } from './keys-summary.tsx'
import { MonthCard } from './month-card.tsx'
import { QuotaCard } from './quota-card.tsx'
import { SnippetCard } from './snippet-card.tsx'

export default function OverviewPage() {
  const isNew = useIsNew()
  return (
    <>
      <PageHead title="Overview" lead="Drop a document to check it, or call the API with one of your keys." />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
        <Scanner />
        <div className="grid content-start gap-4">
          <QuotaCard />
          <KeysSummary />
        </div>
      </div>
      <div className="mt-4 grid grid-cols-1 gap-4">
        {isNew ? <FirstSteps /> : <MonthCard />}
        <SnippetCard />
      </div>
    </>
  )
}
