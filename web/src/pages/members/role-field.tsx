import { SelectField } from '../../components/select-field.tsx'

export type MemberRole = 'viewer' | 'member' | 'admin'

const ROLES: readonly { role: MemberRole; label: string; hint: string }[] = [
  { role: 'viewer', label: 'Viewer', hint: 'Reads reports, usage and the allow list.' },
  { role: 'member', label: 'Member', hint: 'Also scans, and has API keys that scan and read.' },
  { role: 'admin', label: 'Admin', hint: 'Also manages keys, callbacks, the allow list and members.' },
]

/** The roles that can be given, with what each may do. */
export function RoleField({ value, onChange }: { value: MemberRole; onChange: (role: MemberRole) => void }) {
  return (
    <div>
      <SelectField label="Role" value={value} onChange={(role) => onChange(role as MemberRole)}>
        {ROLES.map(({ role, label }) => (
          <option key={role} value={role}>
            {label}
          </option>
        ))}
      </SelectField>
      <p className="mt-1.5 text-sm text-fg-2" aria-live="polite">
        {ROLES.find(({ role }) => role === value)?.hint}
      </p>
    </div>
  )
}
