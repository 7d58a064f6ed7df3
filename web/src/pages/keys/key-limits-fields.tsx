/** What a new key may do, for how long and from where. */
import { CheckField } from '../../components/check-field.tsx'
import { SelectField } from '../../components/select-field.tsx'

export type Scope = 'scan' | 'read' | 'manage'

const SCOPES: readonly { scope: Scope; label: string; hint: string }[] = [
  { scope: 'scan', label: 'Scan', hint: 'Send documents and read its own usage. Enough for most programs.' },
  { scope: 'read', label: 'Read', hint: 'Read reports, usage and the allow list. Asynchronous scans need it.' },
  { scope: 'manage', label: 'Manage', hint: 'Create and revoke keys, callbacks and allowed documents.' },
]

const LIFETIMES: readonly { days: number | null; label: string }[] = [
  { days: null, label: 'Never' },
  { days: 30, label: 'In 30 days' },
  { days: 90, label: 'In 90 days' },
  { days: 365, label: 'In a year' },
]

interface ScopeFieldsProps {
  scopes: readonly Scope[]
  onChange: (scopes: Scope[]) => void
}

export function ScopeFields({ scopes, onChange }: ScopeFieldsProps) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2 text-sm font-medium">What it may do</legend>
      {SCOPES.map(({ scope, label, hint }) => (
        <CheckField
          key={scope}
          label={label}
          hint={hint}
          checked={scopes.includes(scope)}
          onChange={(isChecked) =>
            onChange(
              SCOPES.map((each) => each.scope).filter((each) => (each === scope ? isChecked : scopes.includes(each))),
            )
          }
        />
      ))}
      {scopes.length === 0 && <p className="text-sm text-bad">Choose at least one.</p>}
    </fieldset>
  )
}

export function LifetimeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <SelectField label="Expires" value={value} onChange={onChange}>
      {LIFETIMES.map(({ days, label }) => (
        <option key={label} value={days ?? ''}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
