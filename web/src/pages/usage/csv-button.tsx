import type { MonthUsage } from '../../api/schema.ts'
import { Download } from '../../components/icons.tsx'
import { toCsv } from '../../csv.ts'
import { saveText } from '../../save-text.ts'

/** A row per day, a column per key. */
function csvOf({ days, keys }: MonthUsage): string {
  const head = ['Day (UTC)', 'All keys', ...keys.map(({ name, lastFour }) => `${name} (…${lastFour})`)]
  const rows = days.map(({ date, scansUsed }, index) => [
    date,
    scansUsed,
    ...keys.map(({ scansByDay }) => scansByDay[index] ?? 0),
  ])
  return toCsv([head, ...rows])
}

export function CsvButton({ month }: { month: MonthUsage }) {
  return (
    <button
      type="button"
      className="btn btn-ghost h-8 px-2.5"
      onClick={() => saveText(`docvet-usage-${month.period}.csv`, 'text/csv', csvOf(month))}
    >
      <Download size={14} aria-hidden />
      CSV
    </button>
  )
}
