/** Stands where a page is still loading, with its outline. */
import { Brand } from './components/brand.tsx'
import { Skeleton } from './components/skeleton.tsx'
import type { Page } from './pages.tsx'
import { mayBeSignedIn } from './session.ts'

export function PageSkeleton({ page }: { page: Page | undefined }) {
  if (page?.guest !== undefined && !mayBeSignedIn()) return <FrontSkeleton />
  return page?.frame === 'account' ? <AccountSkeleton /> : null
}

function FrontSkeleton() {
  return (
    <div aria-busy="true">
      <div className="mx-auto flex h-14 max-w-[1120px] items-center px-4 sm:px-8">
        <Brand />
      </div>
      <div className="mx-auto grid max-w-[1120px] grid-cols-1 items-center gap-12 px-4 pt-12 sm:px-8 lg:grid-cols-2 lg:pt-20">
        <div>
          <Skeleton className="h-[83px]" />
          <Skeleton className="mt-4 h-[72px]" />
          <Skeleton className="mt-7 h-10 w-72 max-w-full" />
        </div>
        <Skeleton className="h-[220px]" />
      </div>
    </div>
  )
}

function AccountSkeleton() {
  return (
    <div aria-busy="true" className="min-h-dvh lg:grid lg:grid-cols-[232px_1fr]">
      <div className="hidden border-r border-line bg-surface px-5.5 py-4 lg:block">
        <Brand />
      </div>
      <div>
        <div className="flex h-14 items-center border-b border-line px-4 sm:px-8">
          <span className="lg:hidden">
            <Brand />
          </span>
        </div>
        <div className="mx-auto max-w-[1120px] px-4 pt-7 sm:px-8">
          <Skeleton className="h-8 w-40" />
          <Skeleton className="mt-9 h-72 rounded-lg" />
        </div>
      </div>
    </div>
  )
}
