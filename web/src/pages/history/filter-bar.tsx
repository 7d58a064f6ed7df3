import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { keysQuery } from '../../api/queries.ts'
import { SelectField } from '../../components/select-field.tsx'
import type { useFilters } from './filters.ts'

interface DateFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function DateField({ label, value, onChange }: DateFieldProps) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs font-medium text-fg-2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="field mt-1 h-9 text-sm"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

const TYPING_MS = 300

/** Searches while somebody types, once they pause. */
function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  const [text, setText] = useState(value)
  const change = useEffectEvent(onChange)
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => change(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  // The filters were cleared, or Back was pressed.
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (text.trim() !== value) setText(value)
  }
  return (
    <div className="col-span-2 min-w-0 sm:w-56">
      <label htmlFor={id} className="text-xs font-medium text-fg-2">
        File name
      </label>
      <input
        id={id}
        type="search"
        className="field mt-1 h-9 text-sm"
        placeholder="Part of the name"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}

/** Which scans are listed. Every choice applies at once and is part of the URL. */
export function FilterBar({ filters, isFiltered, set, clear }: ReturnType<typeof useFilters>) {
  const { data: keys = [] } = useQuery(keysQuery)
  return (
    <search className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
      <NameField value={filters.name} onChange={(value) => set('name', value)} />
      <SelectField label="Verdict" value={filters.status} onChange={(value) => set('status', value)}>
        <option value="">All</option>
        <option value="clean">Clean</option>
        <option value="infected">Infected</option>
        <option value="refused">Not scanned</option>
      </SelectField>
      <SelectField label="Key" value={filters.keyId} onChange={(value) => set('keyId', value)}>
        <option value="">All</option>
        {keys.map(({ id, name, lastFour }) => (
          <option key={id} value={id}>
            {name} (…{lastFour})
          </option>
        ))}
      </SelectField>
      <DateField label="From" value={filters.from} onChange={(value) => set('from', value)} />
      <DateField label="To" value={filters.to} onChange={(value) => set('to', value)} />
      {isFiltered && (
        <button type="button" className="btn btn-bare" onClick={clear}>
          Clear filters
        </button>
      )}
    </search>
  )
}
