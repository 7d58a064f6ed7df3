/** What surrounds every page of an account: navigation, the state of the scanner, and the account. */
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { Brand } from '../components/brand.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AssistantPanel } from './assistant-panel.tsx'
import { ScannerState } from './scanner-state.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'
import { ThemeButton } from './theme-button.tsx'

const SKIP_LINK =
  'btn btn-primary sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-4 focus:z-50 focus:h-9 focus:px-3.5'

/** Moves the focus to the content after a navigation, as a full page load would. */
function useFocusAfterNavigation() {
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  const known = useRef(location)
  useEffect(() => {
    if (known.current === location) return
    known.current = location
    main.current?.focus()
    window.scrollTo(0, 0)
  }, [location])
  return main
}

export function Shell({ children }: { children: ReactNode }) {
  const main = useFocusAfterNavigation()
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[232px_1fr]">
      <a href="#main" className={SKIP_LINK}>
        Skip to content
      </a>
      <Sidebar />
      <div className="min-w-0">
        <header className="sticky top-0 z-10 flex h-14 items-center justify-between gap-3 border-b border-line bg-bg px-4 sm:px-8">
          <Link href="/" className="rounded-md lg:hidden">
            <Brand />
          </Link>
          <div className="hidden sm:block">
            <ScannerState />
          </div>
          <div className="flex items-center gap-1">
            <AssistantPanel />
            <ThemeButton />
            <AccountMenu />
          </div>
        </header>
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="mx-auto max-w-[1120px] px-4 pt-7 pb-24 outline-none sm:px-8 lg:pb-8"
        >
          {children}
        </main>
        <TabBar />
      </div>
    </div>
  )
}
