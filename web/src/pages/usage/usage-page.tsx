/** The scans of a month, by day and by key. The month is part of the URL. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { monthQuery } from '../../api/queries.ts'
import { DayCard } from '../../components/day-card.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { currentPeriod, isPeriod, latestPeriods, monthOf } from '../../period.ts'
import { CsvButton } from './csv-button.tsx'
import { KeyUsageCard } from './key-usage-card.tsx'
import { MonthCard } from './month-card.tsx'

const MONTHS = 12

export default function UsagePage() {
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('month')
  const period = isPeriod(chosen) ? chosen : currentPeriod()
  const month = useQuery(monthQuery(period))
  const periods = latestPeriods(MONTHS)
  return (
    <>
      <PageHead title="Usage" lead="Only delivered verdicts count. Months start and end in UTC.">
        <div className="w-44">
          <SelectField
            label="Month"
            value={period}
            onChange={(value) => setSearch(new URLSearchParams({ month: value }))}
          >
            {(periods.includes(period) ? periods : [...periods, period]).map((each) => (
              <option key={each} value={each}>
                {monthOf(each)}
              </option>
            ))}
          </SelectField>
        </div>
      </PageHead>
      <div className="grid grid-cols-1 gap-4">
        {period === currentPeriod() && <MonthCard />}
        {month.isPending && <Skeleton className="h-[520px] rounded-lg" />}
        {month.isError && (
          <ProblemBox
            problem={toProblem(month.error)}
            what="The usage could not be loaded."
            retry={() => month.refetch()}
          />
        )}
        {month.data && (
          <>
            <DayCard period={period} days={month.data.days} actions={<CsvButton month={month.data} />} />
            <KeyUsageCard month={month.data} />
          </>
        )}
      </div>
    </>
  )
}
