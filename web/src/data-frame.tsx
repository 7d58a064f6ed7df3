/** The frame of a page that reads from the API: the cache, the check for a session, and the shell. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { queryClient } from './api/query-client.ts'
import { PageBoundary } from './components/page-boundary.tsx'
import { PageHead } from './components/page-head.tsx'
import { RequireSession } from './components/require-session.tsx'
import type { Page } from './pages.tsx'
import { useMay } from './role.tsx'
import { Shell } from './shell/shell.tsx'

interface DataFrameProps {
  frame: Page['frame']
  role: Page['role']
  children: ReactNode
}

export default function DataFrame({ frame, role, children }: DataFrameProps) {
  return (
    <QueryClientProvider client={queryClient}>
      {frame === 'open' && children}
      {frame === 'session' && <RequireSession>{children}</RequireSession>}
      {frame === 'account' && (
        <RequireSession>
          <InShell role={role}>{children}</InShell>
        </RequireSession>
      )}
    </QueryClientProvider>
  )
}

/** The navigation stays while a page loads, and if it fails. */
function InShell({ role = 'viewer', children }: { role: Page['role']; children: ReactNode }) {
  const isShown = useMay()(role)
  const [location] = useLocation()
  return (
    <Shell>
      <PageBoundary location={location}>
        <Suspense fallback={null}>{isShown ? children : <NotForRole />}</Suspense>
      </PageBoundary>
    </Shell>
  )
}

/** Instead of a page that the role of the person in the account does not include. */
function NotForRole() {
  return (
    <PageHead
      title="Not part of your role"
      lead="Your role in this account does not include this page. Ask an admin of the account, or return to your own account."
    />
  )
}
