/** The commands of `docvet admin` for the operators of this service. For all others it does not exist. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { healthQuery, identitiesQuery, operatorQuery } from '../../api/queries.ts'
import { Card } from '../../components/card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useProvider } from '../../hooks/use-provider.ts'
import { Rows } from './rows.tsx'
import { ViewPanel } from './view-panel.tsx'
import { VIEWS } from './views.ts'

const HERE = '/operator'

/** A session that began long ago may be that of somebody who found the computer open. */
function SignInAgain() {
  const { data: ways } = useQuery(identitiesQuery)
  const confirm = useProvider('confirm')
  return (
    <Card
      title="Sign in again"
      lead="This page needs a password, or a provider that asked you who you are, within the last 30 minutes."
    >
      <div className="flex flex-wrap gap-2 px-5 pt-4 pb-5">
        {confirm.problem && <FormProblem problem={confirm.problem} />}
        <Link href={`/sign-in?${new URLSearchParams({ next: HERE })}`} className="btn btn-primary">
          Sign in again
        </Link>
        {ways?.items.map(({ id, provider, name }) => (
          <button
            key={id}
            type="button"
            className="btn btn-ghost"
            disabled={confirm.isPending}
            onClick={() => confirm.run({ provider, returnTo: HERE })}
          >
            Sign in again with {name}
          </button>
        ))}
      </div>
    </Card>
  )
}

function Engines() {
  const health = useQuery(healthQuery)
  return (
    <div className="card px-5 py-4">
      {health.isPending && <Skeleton className="h-24" />}
      {health.isError && (
        <ProblemBox
          problem={toProblem(health.error)}
          what="The state of the engines could not be loaded."
          retry={() => health.refetch()}
        />
      )}
      {health.data && <Rows rows={health.data.engines.map((engine) => ({ ...engine }))} main="name" />}
    </div>
  )
}

export default function OperatorPage() {
  const commands = useQuery(operatorQuery)
  const problem = commands.isError ? toProblem(commands.error) : null
  if (problem?.code === 'not_found')
    return (
      <PageHead title="There is nothing at this address" lead="Check the address, or continue with another page." />
    )
  const items = commands.data?.items ?? []
  const tabs = VIEWS.map((view) => ({
    title: view.title,
    content: <ViewPanel key={view.command} view={view} commands={items} />,
  }))
  return (
    <div>
      <PageHead
        title="Operator"
        lead="All accounts of this service. Everything you look at and change is in the audit log."
      />
      {commands.isPending && <Skeleton className="h-40" />}
      {problem?.code === 'invalid_credentials' && <SignInAgain />}
      {problem && problem.code !== 'invalid_credentials' && (
        <ProblemBox problem={problem} what="The page could not be loaded." retry={() => commands.refetch()} />
      )}
      {commands.data && <Tabs label="Operator" tabs={[...tabs, { title: 'Engines', content: <Engines /> }]} />}
    </div>
  )
}
