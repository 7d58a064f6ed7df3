/** The scans of this month against the quota, and where they lead. */
import { useQuery } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { usageQuery } from '../../api/queries.ts'
import type { Usage } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Meter } from '../../components/meter.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { capitalized, count, date } from '../../format.ts'
import { endOf, forecast, monthOf } from '../../period.ts'
import { hasNoKey, leftOf, spent } from '../../quota.ts'

function paceOf(usage: Usage): string {
  const { scansUsed, scansQuota, scansRemaining, period } = usage
  if (scansUsed === 0) return `No scans in ${monthOf(period)} yet.`
  if (hasNoKey(usage)) return 'No key is active. Create one, or scan a document in the dashboard, to continue.'
  if (scansRemaining === 0) return `The quota is used up. Scans resume on ${date(endOf(period))}.`
  const expected = forecast(scansUsed, period)
  if (expected === null) return 'It is too early in the month for a forecast.'
  const excess = expected > scansQuota ? ', more than your quota' : ''
  return `At this pace you reach about ${count(expected)} scans by the end of the month${excess}.`
}

function Figures({ usage }: { usage: Usage }) {
  const { scansUsed, scansQuota, period } = usage
  const facts = [
    ['Used', count(scansUsed)],
    ['Quota', count(scansQuota)],
    ['Left', count(leftOf(usage))],
    ['Resets', date(endOf(period))],
  ]
  return (
    <>
      <dl className="mb-5 grid grid-cols-2 gap-4 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-fg-2">{name}</dt>
            <dd className="mt-1 text-xl font-semibold tracking-[-0.02em] tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Meter label="Monthly quota used" value={spent(usage)} max={scansQuota} />
      <p className="mt-3 text-sm text-fg-2">{paceOf(usage)}</p>
    </>
  )
}

export function MonthCard() {
  const usage = useQuery(usageQuery)
  return (
    <Card
      title={usage.data ? monthOf(usage.data.period) : 'This month'}
      actions={usage.data && <span className="pill bg-accent-soft text-accent">{capitalized(usage.data.plan)}</span>}
    >
      <div className="px-5 pt-4 pb-5">
        {usage.isPending && <Skeleton className="h-[180px] sm:h-[112px]" />}
        {usage.data && <Figures usage={usage.data} />}
        {usage.isError && (
          <ProblemBox
            problem={toProblem(usage.error)}
            what="The usage could not be loaded."
            retry={() => usage.refetch()}
          />
        )}
      </div>
    </Card>
  )
}
