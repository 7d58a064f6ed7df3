/** One endpoint, and the callbacks of the last week. */
import { useQuery } from '@tanstack/react-query'
import { Link, useRoute } from 'wouter'
import { ApiProblem, toProblem } from '../../api/problem.ts'
import { callbackQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { ArrowLeft, SearchX } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { EndpointCard } from './endpoint-card.tsx'

/** Also for an id that is no id: there is no such endpoint either. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.status === 400)

export default function EndpointPage() {
  const [, params] = useRoute('/callbacks/:id')
  const id = params?.id ?? ''
  const endpoint = useQuery(callbackQuery(id))
  return (
    <div className="max-w-[800px]">
      <Link href="/callbacks" className="btn btn-bare mb-4 -ml-3.5">
        <ArrowLeft size={15} aria-hidden />
        Callbacks
      </Link>
      <h1 className="sr-only">Callback endpoint</h1>
      {endpoint.isPending && <Skeleton className="h-96" />}
      {endpoint.data && (
        <div className="grid gap-4">
          <EndpointCard endpoint={endpoint.data} />
          <DeliveriesCard endpoint={endpoint.data} />
        </div>
      )}
      {endpoint.isError && isUnknown(endpoint.error) && (
        <section className="card" aria-label="No such endpoint">
          <Empty icon={SearchX} title="There is no such endpoint">
            It is not in your account, or was deleted.
          </Empty>
        </section>
      )}
      {endpoint.isError && !isUnknown(endpoint.error) && (
        <ProblemBox
          problem={toProblem(endpoint.error)}
          what="The endpoint could not be loaded."
          retry={() => endpoint.refetch()}
        />
      )}
    </div>
  )
}
