/** A labelled input with its hint and its error. */
import { type ComponentProps, type ReactNode, useId } from 'react'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string
  /** Beside the label, at the end of the line. */
  aside?: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Inside the field, at its end. */
  button?: ReactNode
}

export function TextField({ label, aside, hint, error, button, ...input }: TextFieldProps) {
  const id = useId()
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative mt-1.5">
        <input
          {...input}
          id={id}
          className={button ? 'field pr-16' : 'field'}
          aria-invalid={error !== undefined}
          aria-describedby={described || undefined}
        />
        {button && <div className="absolute top-1 right-1">{button}</div>}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-fg-2">
          {hint}
        </p>
      )}
    </div>
  )
}
