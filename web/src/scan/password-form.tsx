/** Scans an encrypted document again, with its password. */
import type { FormEvent } from 'react'
import { PasswordField } from '../components/password-field.tsx'
import { textOf } from '../form-values.ts'

interface PasswordFormProps {
  fileName: string
  onRetry: (password: string) => void
}

export function PasswordForm({ fileName, onRetry }: PasswordFormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onRetry(textOf(event.currentTarget, 'password'))
  }

  return (
    <form onSubmit={submit} className="mt-3 flex max-w-md flex-wrap items-end gap-2 rounded-md bg-surface p-3 text-fg">
      <div className="grow">
        <PasswordField
          label={`Password of ${fileName}`}
          name="password"
          autoComplete="off"
          hint="Used for this scan only, never stored."
        />
      </div>
      <button type="submit" className="btn btn-ghost">
        Scan with password
      </button>
    </form>
  )
}
