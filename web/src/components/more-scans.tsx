import { Link } from 'wouter'
import { useSettings } from '../settings.ts'
import { Operator } from './operator.tsx'

/** Where somebody whose quota is used up gets more. Nothing until it is known whether plans can be bought. */
export function MoreScans() {
  const marketplace = useSettings()?.marketplace
  if (marketplace === undefined) return null
  if (marketplace === 'off') {
    return (
      <>
        If you need more scans, ask <Operator />.
      </>
    )
  }
  return (
    <Link href="/plans" className="link">
      Get more scans
    </Link>
  )
}
