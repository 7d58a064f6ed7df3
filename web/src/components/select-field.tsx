import { type ReactNode, useId } from 'react'
import { ChevronDown } from './icons.tsx'

interface SelectFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** The options. */
  children: ReactNode
}

/** A native select with its label above it. */
export function SelectField({ label, value, onChange, children }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs font-medium text-fg-2">
        {label}
      </label>
      <div className="relative mt-1">
        <select
          id={id}
          className="field h-9 appearance-none truncate pr-8 text-sm"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {children}
        </select>
        <ChevronDown size={15} className="pointer-events-none absolute top-2.5 right-2.5 text-fg-2" aria-hidden />
      </div>
    </div>
  )
}
