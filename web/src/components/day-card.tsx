/** Scans per day of a month, as a chart or as a table. */

import { type ReactNode, useState } from 'react'
import type { DayUsage } from '../api/schema.ts'
import { count, date as dateOf } from '../format.ts'
import { monthOf } from '../period.ts'
import { Card } from './card.tsx'
import { DayChart } from './day-chart.tsx'
import { ChartColumn, Table2 } from './icons.tsx'

const VIEWS = [
  { name: 'chart', label: 'Chart', icon: ChartColumn },
  { name: 'table', label: 'Table', icon: Table2 },
] as const

interface DayCardProps {
  period: string
  days: readonly DayUsage[]
  /** Buttons beside the choice of the view. */
  actions?: ReactNode
}

export function DayCard({ period, days, actions }: DayCardProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <Card
      title="Scans per day"
      lead={`${monthOf(period)}, UTC`}
      actions={
        <div className="flex items-center gap-2">
          {actions}
          <fieldset className="flex rounded-md border border-line p-0.5">
            <legend className="sr-only">View</legend>
            {VIEWS.map(({ name, label, icon: Icon }) => (
              <button
                key={name}
                type="button"
                aria-pressed={view === name}
                className="grid size-7 place-items-center rounded-sm text-fg-2 hover:text-fg aria-pressed:bg-sunken aria-pressed:text-fg"
                onClick={() => setView(name)}
              >
                <Icon size={14} aria-hidden />
                <span className="sr-only">{label}</span>
              </button>
            ))}
          </fieldset>
        </div>
      }
    >
      {view === 'chart' ? <DayChart days={days} /> : <DayTable days={days} />}
    </Card>
  )
}

function DayTable({ days }: { days: readonly DayUsage[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="mt-2 h-[230px] overflow-y-auto px-5 pb-4" tabIndex={0} aria-label="Table of days">
      <table className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 bg-surface text-xs text-fg-2">
          <tr>
            <th scope="col" className="py-2 text-left font-medium">
              Day
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Scans
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, scansUsed }) => (
            <tr key={date} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                {dateOf(date)}
              </th>
              <td className="text-right">{count(scansUsed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
