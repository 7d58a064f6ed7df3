/** Changes the password and asks whether the API keys may stay. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { identitiesQuery, keysQuery, meQuery, passkeysQuery, usageQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { ChangePasswordRequest } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { CheckField } from '../../components/check-field.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { NewPasswordField, PasswordField } from '../../components/password-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'

const FIELDS = ['currentPassword', 'newPassword'] as const

function NoPassword() {
  const isOnly = useQuery(passkeysQuery).data?.only === true
  if (isOnly) return null
  return (
    <Card title="Password" lead="Your account has none: you sign in another way.">
      <div className="px-5 pt-4 pb-5">
        <Link href="/forgot-password" className="btn btn-ghost">
          Set a password by mail
        </Link>
      </div>
    </Card>
  )
}

export function PasswordCard() {
  const { data: me } = useQuery(meQuery)
  const { data: ways } = useQuery(identitiesQuery)
  const [revokeKeys, setRevokeKeys] = useState(false)
  const { run, isPending, problem, result } = useAction(
    async ({ form, body }: { form: HTMLFormElement; body: ChangePasswordRequest }) => {
      await call('POST /api/v1/auth/change-password', { body })
      form.reset()
      setRevokeKeys(false)
      // Not awaited: the password is changed even if the lists cannot be read.
      refresh(keysQuery, usageQuery)
      return body.revokeKeys ? 'All other sessions ended, and all API keys are revoked.' : 'All other sessions ended.'
    },
  )

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const [currentPassword, newPassword] = FIELDS.map((name) => textOf(form, name)) as [string, string]
    run({ form, body: { currentPassword, newPassword, revokeKeys } })
  }

  if (ways?.hasPassword === false) return <NoPassword />
  return (
    <Card title="Password" lead="When you save a new password, all other sessions of your account end.">
      <form onSubmit={submit} className="grid max-w-md gap-4 px-5 pt-4 pb-5">
        {problem && <FormProblem problem={problem} fields={FIELDS} />}
        {/* Tells password managers whose password changes. */}
        <input type="email" autoComplete="username" value={me?.email ?? ''} readOnly hidden />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={problem?.fieldError('currentPassword')}
        />
        <NewPasswordField label="New password" name="newPassword" error={problem?.fieldError('newPassword')} />
        <CheckField
          label="Revoke all API keys"
          checked={revokeKeys}
          onChange={setRevokeKeys}
          hint="Choose this if someone else may know a key. Programs that use a key then fail until you give them a new one."
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <button type="submit" className="btn btn-primary" disabled={isPending}>
            {isPending ? 'Saving…' : 'Save password'}
          </button>
          <p role="status" className="text-sm text-fg-2">
            {result && `Password changed. ${result}`}
          </p>
        </div>
      </form>
    </Card>
  )
}
