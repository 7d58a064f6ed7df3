/** Shows a page only with a session; otherwise leads to the sign-in page and back. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { isSignedOut, toProblem } from '../api/problem.ts'
import { meQuery } from '../api/queries.ts'
import { leaveForSignIn, mayBeSignedIn } from '../session.ts'
import { ProblemBox } from './problem-box.tsx'

export function RequireSession({ children }: { children: ReactNode }) {
  const isPossible = mayBeSignedIn()
  const me = useQuery({ ...meQuery, enabled: isPossible })
  useEffect(() => {
    if (!isPossible) leaveForSignIn()
  }, [isPossible])
  // Pages that were shown stay while the sign-in page loads, or while files are kept for a session that ended.
  if ((!isPossible || isSignedOut(me.error)) && me.data === undefined) return null
  if (me.isError && me.data === undefined) {
    return (
      <main className="mx-auto max-w-xl px-4 py-16">
        <ProblemBox problem={toProblem(me.error)} what="Your account could not be loaded." retry={() => me.refetch()} />
      </main>
    )
  }
  return children
}
