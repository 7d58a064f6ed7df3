import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../api/queries.ts'
import { PageHead } from '../../components/page-head.tsx'
import { PlanTable } from './plan-table.tsx'

export default function PlansPage() {
  const { data: usage } = useQuery(usageQuery)
  return (
    <div className="max-w-[800px]">
      <PageHead title="Plans and limits" lead="How much can be scanned, and what is accepted." />
      <PlanTable current={usage?.plan ?? null} />
    </div>
  )
}
