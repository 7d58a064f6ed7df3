/** This month by day. */
import { useQuery } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { monthQuery } from '../../api/queries.ts'
import { Card } from '../../components/card.tsx'
import { DayCard } from '../../components/day-card.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { currentPeriod, monthOf } from '../../period.ts'

export function MonthCard() {
  const period = currentPeriod()
  const month = useQuery(monthQuery(period))
  if (month.data) return <DayCard period={period} days={month.data.days} />
  return (
    <Card title="Scans per day" lead={`${monthOf(period)}, UTC`}>
      <div className="h-[236px] px-5 py-4">
        {month.isPending && <Skeleton className="h-full" />}
        {month.isError && (
          <ProblemBox
            problem={toProblem(month.error)}
            what="The scans per day could not be loaded."
            retry={() => month.refetch()}
          />
        )}
      </div>
    </Card>
  )
}
