/** Mail to the owner of the account about infected documents. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { alertsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { Card } from '../../components/card.tsx'
import { CheckField } from '../../components/check-field.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { useAction } from '../../hooks/use-action.ts'

export function AlertsCard() {
  const alerts = useQuery(alertsQuery)
  const { run, problem, result } = useAction(async (mail: boolean) => {
    await call('PUT /api/v1/alerts', { body: { mail } })
    await refresh(alertsQuery)
    return mail ? 'Alerts by mail are on.' : 'Alerts by mail are off.'
  })
  const failure = problem ?? (alerts.isError ? toProblem(alerts.error) : null)
  return (
    <Card title="Alerts by mail">
      <div className="grid gap-3 px-5 pt-2 pb-5 text-sm">
        {failure && (
          <ProblemBox
            problem={failure}
            what={problem ? 'The setting was not changed.' : 'The setting could not be loaded.'}
            {...(problem === null && { retry: () => alerts.refetch() })}
          />
        )}
        {alerts.data && (
          <CheckField
            label="Tell the owner of this account about infected documents"
            checked={alerts.data.mail}
            onChange={run}
            hint="The first one at once, then at most one mail an hour with their number, and never the name of a file."
          />
        )}
        <p role="status" className="text-fg-2">
          {result}
        </p>
      </div>
    </Card>
  )
}
