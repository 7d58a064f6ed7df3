/** The scans of a month by key, the busiest first. */

import type { MonthUsage } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Empty } from '../../components/empty.tsx'
import { KeyRound } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import { capitalized, count } from '../../format.ts'
import { monthOf } from '../../period.ts'

const HEAD = 'border-b border-line py-2.5 pr-5 text-left text-xs font-medium text-fg-2 first:pl-5'

export function KeyUsageCard({ month }: { month: MonthUsage }) {
  const { period, scansUsed } = month
  const keys = month.keys.toSorted((a, b) => b.scansUsed - a.scansUsed)
  const lead =
    scansUsed === 0
      ? `No scans in ${monthOf(period)}.`
      : `${count(scansUsed)} ${scansUsed === 1 ? 'scan' : 'scans'} in ${monthOf(period)}. Each key has its own quota.`
  return (
    <Card title="Scans per key" lead={lead}>
      {keys.length === 0 ? (
        <Empty icon={KeyRound} title="No keys">
          Scan a document or create a key, and it appears here.
        </Empty>
      ) : (
        <table className="mt-3 w-full table-fixed text-sm">
          <thead>
            <tr>
              <th scope="col" className={HEAD}>
                Key
              </th>
              <th scope="col" className={`${HEAD} hidden w-2/5 sm:table-cell`}>
                Share
              </th>
              <th scope="col" className={`${HEAD} w-24 text-right`}>
                Scans
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} total={scansUsed} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function KeyRow({ apiKey, total }: { apiKey: MonthUsage['keys'][number]; total: number }) {
  const { name, keyPrefix, lastFour, status, scansUsed } = apiKey
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="py-2.5 pr-4 pl-5 text-left font-medium">
        <span className="block truncate">{name}</span>
        <span className="mt-0.5 block truncate text-xs font-normal text-fg-2">
          <code className="font-mono">{`${keyPrefix}…${lastFour}`}</code>
          {status !== 'active' && `, ${capitalized(status)}`}
        </span>
      </th>
      <td className="hidden pr-5 sm:table-cell">
        {total > 0 && <Meter label={`Share of ${name}`} value={scansUsed} max={total} isNeutral />}
      </td>
      <td className="pr-5 text-right tabular-nums">{count(scansUsed)}</td>
    </tr>
  )
}
