/** The plans of this installation and what all of them share. */
import { Card } from '../../components/card.tsx'
import { Operator } from '../../components/operator.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { capitalized, count } from '../../format.ts'
import { type PlanLimits, type Settings, useSettings } from '../../settings.ts'

const HEAD = 'border-b border-line py-2.5 pr-5 text-left text-xs font-medium text-fg-2 first:pl-5'
const CELL = 'pr-5 whitespace-nowrap tabular-nums'

const LIMITS = [
  ['Size of a document', '25 MB'],
  ['Formats', 'PDF; Word, Excel, PowerPoint, Outlook, OneNote and OpenDocument; text, web pages and e-mail; ZIP'],
  ['Refused documents', 'Cost nothing: only a verdict counts'],
  ['Quota', 'For each key and calendar month in UTC; the dashboard has its own'],
] as const

/** `current`: the plan of the account, if there is one. */
export function PlanTable({ current }: { current: string | null }) {
  const settings = useSettings()
  return (
    <div className="grid grid-cols-1 gap-4">
      <Card title="Plans" lead={settings && <HowToGetMore settings={settings} />}>
        {settings === null ? <Skeleton className="m-5 h-48" /> : <Table plans={settings.plans} current={current} />}
      </Card>
      <Card title="The same on every plan">
        <dl className="mt-3 divide-y divide-line border-t border-line text-sm">
          {LIMITS.map(([name, value]) => (
            <div key={name} className="grid gap-x-4 px-5 py-2.5 sm:grid-cols-[200px_1fr]">
              <dt className="text-fg-2">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  )
}

function HowToGetMore({ settings: { marketplace } }: { settings: Settings }) {
  if (marketplace === 'off') {
    return (
      <>
        Plans cannot be bought here. If you need more scans, ask <Operator />.
      </>
    )
  }
  if (marketplace === 'microsoft')
    return <>Buy a larger plan in the Microsoft marketplace and return through its link.</>
  return (
    <>
      This is a sandbox: try a purchase in the{' '}
      <a href="/sandbox" className="link">
        sandbox marketplace
      </a>
      , where everything is free.
    </>
  )
}

function Table({ plans, current }: { plans: readonly PlanLimits[]; current: string | null }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="mt-3 overflow-x-auto -outline-offset-2" tabIndex={0} aria-label="Table of plans">
      <table className="w-full text-sm">
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              Plan
            </th>
            <th scope="col" className={HEAD}>
              Scans a month and key
            </th>
            <th scope="col" className={HEAD}>
              Keys a month
            </th>
            <th scope="col" className={HEAD}>
              Scans a second
            </th>
          </tr>
        </thead>
        <tbody>
          {plans.map(({ name, scansPerMonth, keysPerMonth, scansPerSecond, burst }) => (
            <tr key={name} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 pr-5 pl-5 text-left font-medium">
                {capitalized(name)}{' '}
                {name === current && <span className="pill bg-accent-soft text-accent">Your plan</span>}
              </th>
              <td className={CELL}>{count(scansPerMonth)}</td>
              <td className={CELL}>{count(keysPerMonth)}</td>
              <td className={CELL}>{`${count(scansPerSecond)}, at times ${count(burst)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
