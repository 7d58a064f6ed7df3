/** The frame of a page that reads from the API: the cache, the check for a session, and the shell. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { queryClient } from './api/query-client.ts'
import { PageBoundary } from './components/page-boundary.tsx'
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
      {frame === 'open' && children}
      {frame === 'session' && <RequireSession>{children}</RequireSession>}
      {frame === 'account' && (
        <RequireSession>
          <InShell>{children}</InShell>
        </RequireSession>
      )}
    </QueryClientProvider>
  )
}

/** The navigation stays while a page loads, and if it fails. */
function InShell({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  return (
    <Shell>
      <PageBoundary location={location}>
        <Suspense fallback={null}>{children}</Suspense>
      </PageBoundary>
    </Shell>
  )
}
