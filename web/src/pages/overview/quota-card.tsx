/** This month's scans against the quota. */
import { useQuery } from '@tanstack/react-query'
import { toProblem } from '../../api/problem.ts'
import { usageQuery } from '../../api/queries.ts'
import type { Usage } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { TrendingUp } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import { MoreScans } from '../../components/more-scans.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Time } from '../../components/time.tsx'
import { capitalized, count } from '../../format.ts'
import { endOf, forecast } from '../../period.ts'
import { hasNoKey, leftOf, spent } from '../../quota.ts'

function Figures({ usage }: { usage: Usage }) {
  const { scansUsed, scansQuota, scansRemaining, period } = usage
  const isUsedUp = scansRemaining === 0 && !hasNoKey(usage)
  return (
    <>
      <p className="text-3xl font-semibold tracking-[-0.03em] tabular-nums">{count(scansUsed)}</p>
      <p className="mt-1.5 mb-4 text-sm text-fg-2 tabular-nums">of {count(scansQuota)} scans used</p>
      <Meter label="Monthly quota used" value={spent(usage)} max={scansQuota} />
      <p className="mt-2 flex justify-between text-xs text-fg-2 tabular-nums">
        <span>{count(leftOf(usage))} left</span>
        <span>
          Resets <Time iso={endOf(period)} as="date" />
        </span>
      </p>
      {isUsedUp ? <UsedUp period={period} /> : <Pace usage={usage} />}
    </>
  )
}

function UsedUp({ period }: Pick<Usage, 'period'>) {
  return (
    <p className="mt-4 rounded-md border border-warn-line bg-warn-soft px-3 py-2 text-xs">
      The quota is used up. You can scan again from <Time iso={endOf(period)} as="date" />. <MoreScans />
    </p>
  )
}

/** Only if the quota will not last. */
function Pace({ usage: { scansUsed, scansQuota, period } }: { usage: Usage }) {
  const expected = forecast(scansUsed, period)
  if (expected === null || expected <= scansQuota) return null
  return (
    <p className="mt-4 flex gap-2 rounded-md border border-warn-line bg-warn-soft px-3 py-2 text-xs text-fg-2">
      <TrendingUp size={14} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      <span>
        At this pace you reach about <b className="font-medium text-fg tabular-nums">{count(expected)}</b> scans by the
        end of the month, more than your quota.
      </span>
    </p>
  )
}

export function QuotaCard() {
  const usage = useQuery(usageQuery)
  return (
    <Card
      title="This month"
      actions={usage.data && <span className="pill bg-accent-soft text-accent">{capitalized(usage.data.plan)}</span>}
    >
      <div className="min-h-[128px] px-5 pt-3 pb-5">
        {usage.isPending && <Skeleton className="h-[108px]" />}
        {usage.data && <Figures usage={usage.data} />}
        {usage.isError && (
          <ProblemBox
            problem={toProblem(usage.error)}
            what="The quota could not be loaded."
            retry={() => usage.refetch()}
          />
        )}
      </div>
    </Card>
  )
}
