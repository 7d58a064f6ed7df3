/** When scans go on after the quota is used up, and how to get more. */
import { Link } from 'wouter'
import { Time } from '../components/time.tsx'

export function QuotaHelp({ retryAfterS }: { retryAfterS: number | null }) {
  return (
    <p className="mt-1 text-sm">
      {retryAfterS !== null && (
        <>
          You can scan again from <Time iso={new Date(Date.now() + retryAfterS * 1_000).toISOString()} as="date" />.{' '}
        </>
      )}
      <Link href="/plans" className="link">
        See the plans and their limits
      </Link>
    </p>
  )
}
