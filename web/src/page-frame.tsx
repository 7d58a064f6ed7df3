/** The title of a page, and what surrounds it. */
import { lazy } from 'react'
import { useFocusAfterNavigation } from './hooks/use-focus-after-navigation.ts'
import { usePageTitle } from './hooks/use-page-title.ts'
import type { Page } from './pages.tsx'
import { mayBeSignedIn } from './session.ts'

/** Loaded with the first page that needs it, so that the sign-in page stays small. */
const DataFrame = lazy(() => import('./data-frame.tsx'))

export function PageFrame({ page }: { page: Page }) {
  const { title, frame, role, component: Content, guest: Guest } = page
  const isGuest = Guest !== undefined && !mayBeSignedIn()
  usePageTitle(isGuest && title === 'Overview' ? 'Document malware scanning' : title)
  useFocusAfterNavigation()
  if (isGuest) return <Guest />
  if (frame === 'bare') return <Content />
  return (
    <DataFrame frame={frame} role={role}>
      <Content />
    </DataFrame>
  )
}
