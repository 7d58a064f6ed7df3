import { PageHead } from '../../components/page-head.tsx'
import { ForRole, useMay } from '../../role.tsx'
import { Scanner } from '../../scan/scanner.tsx'
import { FirstSteps, useIsNew } from './first-steps.tsx'
import { KeysSummary } from './keys-summary.tsx'
import { MonthCard } from './month-card.tsx'
import { QuotaCard } from './quota-card.tsx'
import { SnippetCard } from './snippet-card.tsx'

export default function OverviewPage() {
  const isNew = useIsNew()
  const may = useMay()
  return (
    <>
      <PageHead
        title="Overview"
        lead={
          may('member')
            ? 'Drop a document to check it, or call the API with one of your keys.'
            : 'What this account has scanned.'
        }
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
        <ForRole needs="member">
          <Scanner />
        </ForRole>
        <div className="grid content-start gap-4">
          <QuotaCard />
          <ForRole needs="member">
            <KeysSummary />
          </ForRole>
        </div>
      </div>
      <div className="mt-4 grid grid-cols-1 gap-4">
        {isNew && may('member') ? <FirstSteps /> : <MonthCard />}
        <ForRole needs="member">
          <SnippetCard />
        </ForRole>
      </div>
    </>
  )
}
