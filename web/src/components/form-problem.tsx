/** A form's problem: a sentence in the page's own words if there is one, otherwise the problem itself. */
import type { ApiProblem } from '../api/problem.ts'
import { ProblemBox } from './problem-box.tsx'

/** Failures that are explained by their detail alone: an id or a retry would not help. */
const PLAIN = new Set<string>([
  'invalid_request',
  'invalid_credentials',
  'rate_limited',
  'email_taken',
  'key_limit_reached',
])

interface FormProblemProps {
  problem: ApiProblem
  /** Fields that show their own errors. */
  fields?: readonly string[]
}

export function FormProblem({ problem, fields = [] }: FormProblemProps) {
  const isShownAtFields = problem.errors.length > 0 && problem.errors.every(({ field }) => fields.includes(field))
  if (isShownAtFields) return null
  if (!PLAIN.has(problem.code)) return <ProblemBox problem={problem} />
  return (
    <p role="alert" className="rounded-md border border-bad-line bg-bad-soft px-3 py-2 text-sm text-bad">
      {problem.detail}
    </p>
  )
}
