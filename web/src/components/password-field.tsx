/** A password that can be shown. */
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { TextField } from './text-field.tsx'

const LENGTH_MIN = 8
const LENGTH_MAX = 256

interface PasswordFieldProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'button'> {
  autoComplete: 'current-password' | 'new-password' | 'off'
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <TextField
      required
      maxLength={LENGTH_MAX}
      {...props}
      type={isShown ? 'text' : 'password'}
      button={
        <button type="button" className="btn-icon" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          <Icon size={16} aria-hidden />
          <span className="sr-only">Show password</span>
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
