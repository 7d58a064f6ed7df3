/** Whether documents can be scanned, and the age of the signatures. */
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../api/queries.ts'
import type { EngineHealth } from '../api/schema.ts'
import { ago } from '../format.ts'

/** The engine with the oldest signatures says how old they are. */
function oldest(engines: readonly EngineHealth[]): string | null {
  const times = engines.flatMap(({ signaturesAt }) => signaturesAt ?? [])
  return times.sort()[0] ?? null
}

export function ScannerState() {
  const { data, isPending, isError } = useQuery(healthQuery)
  if (isPending) return <p className="hidden sm:block" />
  if (isError || data.engine !== 'UP') {
    return (
      <p role="status" className="flex items-center gap-2 text-xs text-bad sm:text-sm">
        <span aria-hidden="true" className="bar size-2 shrink-0 rounded-full bg-bad-solid" />
        Scanner not available
      </p>
    )
  }
  const signaturesAt = oldest(data.engines)
  return (
    <p className="hidden items-center gap-2 text-sm text-fg-2 sm:flex">
      <span aria-hidden="true" className="bar size-2 rounded-full bg-ok" />
      Scanner ready
      {signaturesAt && <span className="hidden md:inline">· signatures updated {ago(signaturesAt)}</span>}
    </p>
  )
}
