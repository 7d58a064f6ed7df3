/** The problem of a form, above its fields. */
import type { ApiProblem } from '../api/problem.ts'
import { CodeText } from './code-text.tsx'

/** Explained by their detail alone: the person who filled in the form can act on it, and an id would not help. */
const PLAIN = new Set<string>([
  'invalid_request',
  'invalid_credentials',
  'rate_limited',
  'email_taken',
  'signup_closed',
  'key_limit_reached',
  'key_scope',
  'role_forbidden',
  'email_unverified',
  'invitation_mismatch',
  'invalid_invitation',
  'member_limit_reached',
  'account_has_members',
  'account_in_use',
  'webhook_limit_reached',
  'passkey_limit_reached',
  'last_sign_in',
  'invalid_url',
])

interface FormProblemProps {
  problem: ApiProblem
  /** Fields that show their own errors. */
  fields?: readonly string[]
}

export function FormProblem({ problem, fields = [] }: FormProblemProps) {
  const { code, detail, errors, requestId } = problem
  const isShownAtFields = errors.length > 0 && errors.every(({ field }) => fields.includes(field))
  if (isShownAtFields) return null
  return (
    <div role="alert" className="rounded-md border border-bad-line bg-bad-soft px-3 py-2 text-sm text-bad">
      <CodeText text={detail} />
      {requestId !== undefined && !PLAIN.has(code) && (
        <p className="mt-1 text-xs text-fg-2">
          Request <code className="font-mono break-all">{requestId}</code>
        </p>
      )}
    </div>
  )
}
