/** The stored report of one scan. */
import { useQuery } from '@tanstack/react-query'
import { Link, useRoute } from 'wouter'
import { ApiProblem, toProblem } from '../../api/problem.ts'
import { scanQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { ArrowLeft, SearchX } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Report } from './report.tsx'

/** Also for an id that is no id: there is no such scan either. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.status === 400)

export default function ReportPage() {
  const [, params] = useRoute('/history/:id')
  const scan = useQuery(scanQuery(params?.id ?? ''))
  return (
    <div className="max-w-[800px]">
      <Link href="/history" className="btn btn-bare mb-4 -ml-3.5">
        <ArrowLeft size={15} aria-hidden />
        History
      </Link>
      <h1 className="sr-only">Scan report</h1>
      {scan.isPending && <Skeleton className="h-96" />}
      {scan.data && <Report scan={scan.data} />}
      {scan.isError && isUnknown(scan.error) && (
        <section className="card" aria-label="No such scan">
          <Empty icon={SearchX} title="There is no such scan">
            This scan is not in your account or has expired.
          </Empty>
        </section>
      )}
      {scan.isError && !isUnknown(scan.error) && (
        <ProblemBox problem={toProblem(scan.error)} what="The scan could not be loaded." retry={() => scan.refetch()} />
      )}
    </div>
  )
}
