/** The plan and how much of its quota is used, in the sidebar. */
import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../api/queries.ts'
import { Meter } from '../components/meter.tsx'
import { capitalized } from '../format.ts'
import { spent } from '../quota.ts'

export function QuotaBar() {
  const { data: usage } = useQuery(usageQuery)
  if (usage === undefined) return <div className="h-[58px]" />
  const { plan, scansQuota } = usage
  const percent = scansQuota === 0 ? 100 : Math.round((spent(usage) / scansQuota) * 100)
  return (
    <div className="rounded-md border border-line p-3">
      <div className="mb-2 flex items-baseline justify-between text-xs">
        <span className="font-medium">{capitalized(plan)}</span>
        <span className="text-fg-2 tabular-nums">{percent} %</span>
      </div>
      <Meter label="Monthly quota used" value={spent(usage)} max={scansQuota} className="h-1" />
    </div>
  )
}
