/** A password that can be shown. */
import { type ComponentProps, useState } from 'react'
import { TextField } from './text-field.tsx'

const LENGTH_MIN = 8
const LENGTH_MAX = 256

interface PasswordFieldProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'button'> {
  autoComplete: 'current-password' | 'new-password' | 'off'
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      required
      maxLength={LENGTH_MAX}
      {...props}
      type={isShown ? 'text' : 'password'}
      button={
        <button type="button" className="btn btn-bare h-8 px-2.5 text-xs" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span className="sr-only"> password</span>
        </button>
      }
    />
  )
}

/** With the rules of a password that is chosen here. */
export function NewPasswordField(props: Omit<PasswordFieldProps, 'autoComplete' | 'hint'>) {
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      minLength={LENGTH_MIN}
      hint={`At least ${LENGTH_MIN} characters; 15 or more are better. Any characters are allowed.`}
    />
  )
}
