/** Leads a new account to its first scan. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { keysQuery, usageQuery } from '../../api/queries.ts'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CircleCheck, CircleDashed } from '../../components/icons.tsx'
import { sampleCommand } from './snippets.ts'

const WAIT_MS = 3_000

/** The account has neither a scan in this month nor a report of an earlier one. Until then, the server is asked again. */
export function useIsNew(): boolean {
  const usage = useQuery({
    ...usageQuery,
    refetchInterval: ({ state }) => (state.data?.scansUsed === 0 ? WAIT_MS : false),
  })
  const isUnused = usage.data?.scansUsed === 0
  const reports = useQuery({
    queryKey: ['scans', 'any'],
    queryFn: () => call('GET /api/v1/scans', { query: { limit: 1 } }),
    enabled: isUnused,
  })
  return isUnused && reports.data?.items.length === 0
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children?: ReactNode }) {
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li className="flex gap-3">
      <Icon size={18} className={`mt-0.5 shrink-0 ${isDone ? 'text-accent' : 'text-fg-2'}`} aria-hidden />
      <div className="min-w-0 grow">
        <p className="text-sm font-medium">
          {title}
          <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
        </p>
        {children}
      </div>
    </li>
  )
}

export function FirstSteps() {
  const { data: keys = [] } = useQuery(keysQuery)
  const hasKey = keys.some(({ status, dashboard }) => status === 'active' && !dashboard)
  return (
    <Card title="First steps" lead="This list makes room for your statistics after the first scan.">
      <ol className="grid grid-cols-1 gap-4 px-5 pt-4 pb-5">
        <Step isDone={hasKey} title="Create an API key">
          {!hasKey && (
            <Link href="/keys" className="btn btn-ghost mt-2">
              Create a key
            </Link>
          )}
        </Step>
        <Step isDone={false} title="Scan a harmless sample with the key in DOCVET_KEY, or drop a document above">
          <div className="mt-2">
            <CodeBlock code={sampleCommand(location.origin)} label="Command for the first scan" />
          </div>
          <p className="mt-2 text-sm text-fg-2">
            There is a{' '}
            <a href="/samples/" className="link">
              sample
            </a>{' '}
            for every outcome. Scans with a test key are not charged.
          </p>
        </Step>
        <Step isDone={false} title="Waiting for your first scan…" />
      </ol>
    </Card>
  )
}
