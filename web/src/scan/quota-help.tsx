/** When scans go on after the quota is used up, and how to get more. Once for all documents. */
import { useState } from 'react'
import { MoreScans } from '../components/more-scans.tsx'
import { Time } from '../components/time.tsx'

export function QuotaHelp({ retryAfterS }: { retryAfterS: number | null }) {
  // From when it was refused: it must not move while the page stays open.
  const [again] = useState(() => retryAfterS && new Date(Date.now() + retryAfterS * 1_000).toISOString())
  return (
    <p role="status" className="rounded-lg border border-warn-line bg-warn-soft px-4 py-3 text-sm">
      All scans of this month are used up.{' '}
      {again && (
        <>
          You can scan again from <Time iso={again} as="date" />.{' '}
        </>
      )}
      <MoreScans />
    </p>
  )
}
