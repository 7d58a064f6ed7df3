/** A purchase that could not be identified or linked. */

import type { ApiProblem } from '../../api/problem.ts'
import { CircleAlert } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { OtherAccount } from './other-account.tsx'
import { Outcome, ToDashboard } from './outcome.tsx'

/** The token is unknown, has expired, or was cut off when the link was copied. */
const isUnknownToken = ({ code, errors }: ApiProblem): boolean =>
  code === 'invalid_request' && errors.some(({ field }) => field === 'token')

interface UnresolvedProps {
  problem: ApiProblem
  retry: () => unknown
}

export function Unresolved({ problem, retry }: UnresolvedProps) {
  if (isUnknownToken(problem)) {
    return (
      <Outcome icon={CircleAlert} title="We could not identify this purchase">
        <p className="mt-1 text-fg-2">
          The link is valid for 24 hours. Open the subscription again in the Azure portal or the Microsoft 365 admin
          center, and choose <b className="font-medium text-fg">Configure account</b> or{' '}
          <b className="font-medium text-fg">Manage account</b>.
        </p>
        <ToDashboard />
      </Outcome>
    )
  }
  if (problem.code === 'subscription_conflict') {
    return (
      <Outcome icon={CircleAlert} title="This purchase cannot be linked to your account">
        <p className="mt-1 text-fg-2">{problem.detail}</p>
        <OtherAccount />
        <ToDashboard className="mt-2" />
      </Outcome>
    )
  }
  return (
    <Outcome title="We could not load your purchase">
      <div className="mt-4">
        <ProblemBox problem={problem} retry={retry} />
      </div>
    </Outcome>
  )
}
