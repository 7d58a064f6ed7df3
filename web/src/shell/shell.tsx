/** The frame of every page of an account: navigation, the state of the scanner, and the account. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../components/brand.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ActingBar } from './acting-bar.tsx'
import { AssistantPanel } from './assistant-panel.tsx'
import { ScannerState } from './scanner-state.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'
import { ThemeButton } from './theme-button.tsx'

const SKIP_LINK =
  'btn btn-primary sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-4 focus:z-50 focus:h-9 focus:px-3.5'

export function Shell({ children }: { children: ReactNode }) {
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
          <ScannerState />
          <div className="flex items-center gap-1">
            <AssistantPanel />
            <ThemeButton />
            <AccountMenu />
          </div>
        </header>
        <ActingBar />
        <main id="main" tabIndex={-1} className="mx-auto max-w-[1120px] px-4 pt-7 pb-24 outline-none sm:px-8 lg:pb-8">
          {children}
        </main>
        <TabBar />
      </div>
    </div>
  )
}
