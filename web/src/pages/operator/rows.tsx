/** Rows of any command: the name of each, and its other fields below. */
import type { ReactNode } from 'react'
import { Time } from '../../components/time.tsx'

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of a result that is one row, or several. */
export const rowsOf = (data: unknown): Row[] => (Array.isArray(data) ? data.filter(isRow) : [data].filter(isRow))

/** `createdAt` becomes `Created at`. */
function heading(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Value({ name, value }: { name: string; value: unknown }): ReactNode {
  if (value === null || value === undefined || value === '') return '–'
  if (/At$|_at$/.test(name) && typeof value === 'string') return <Time iso={value} />
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The fields of one row. */
function Fields({ row, without = '' }: { row: Row; without?: string }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
      {Object.entries(row)
        .filter(([name]) => name !== without)
        .map(([name, value]) => (
          <div key={name} className="flex min-w-0 gap-2">
            <dt className="shrink-0 text-fg-2">{heading(name)}</dt>
            <dd className="min-w-0 break-words">
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

interface RowsProps {
  rows: readonly Row[]
  main?: string
  actions?: (row: Row) => ReactNode
}

export function Rows({ rows, main = '', actions }: RowsProps) {
  if (rows.length === 0) return <p className="text-sm text-fg-2">None.</p>
  return (
    <ul className="divide-y divide-line">
      {rows.map((row, index) => (
        <li key={String(row.id ?? row.seq ?? index)} className="py-3">
          <div className="mb-1 flex flex-wrap items-start justify-between gap-2">
            {main !== '' && <p className="min-w-0 font-medium break-words">{String(row[main] ?? '–')}</p>}
            {actions?.(row)}
          </div>
          <Fields row={row} without={main} />
        </li>
      ))}
    </ul>
  )
}
