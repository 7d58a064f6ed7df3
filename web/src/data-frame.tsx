/** What surrounds a page that reads from the API: the cache, the check for a session, and the shell. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { queryClient } from './api/query-client.ts'
import { RequireSession } from './components/require-session.tsx'
import type { Page } from './pages.tsx'
import { Shell } from './shell/shell.tsx'

interface DataFrameProps {
  frame: Page['frame']
  children: ReactNode
}

export default function DataFrame({ frame, children }: DataFrameProps) {
  return (
    <QueryClientProvider client={queryClient}>
      {frame === 'open' ? children : <RequireSession>{framed(frame, children)}</RequireSession>}
    </QueryClientProvider>
  )
}

function framed(frame: Page['frame'], children: ReactNode): ReactNode {
  if (frame !== 'account') return children
  return (
    <Shell>
      <Suspense fallback={null}>{children}</Suspense>
    </Shell>
  )
}
