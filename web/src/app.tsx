/** The dashboard: the page for the current URL. */
import { lazy, Suspense } from 'react'
import { matchRoute, useLocation, useRouter } from 'wouter'
import { PageBoundary } from './components/page-boundary.tsx'
import { PageFrame } from './page-frame.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { PAGES, type Page } from './pages.tsx'

const NotFoundPage = lazy(() => import('./pages/not-found/not-found-page.tsx'))

export function App() {
  const [location] = useLocation()
  const page = usePage(location)
  return (
    <PageBoundary location={location}>
      <Suspense fallback={<PageSkeleton page={page} />}>
        {page === undefined ? <NotFoundPage /> : <PageFrame page={page} />}
      </Suspense>
    </PageBoundary>
  )
}

/** Unlike wouter's Switch, keeps the shell mounted while the pages in it change. */
function usePage(location: string): Page | undefined {
  const { parser } = useRouter()
  return Object.entries(PAGES).find(([path]) => matchRoute(parser, path, location)[0])?.[1]
}
