import { type ReactNode, useId } from 'react'

interface CheckFieldProps {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A check box with its explanation. */
export function CheckField({ label, hint, checked, onChange }: CheckFieldProps) {
  const id = useId()
  return (
    <div className="flex gap-2.5">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-sm text-fg-2">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
