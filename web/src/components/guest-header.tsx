import { Link } from 'wouter'
import { ThemeButton } from '../shell/theme-button.tsx'
import { Brand } from './brand.tsx'

/** Above the pages for visitors. */
export function GuestHeader() {
  return (
    <header className="mx-auto flex h-14 w-full max-w-[1120px] items-center justify-between gap-3 px-4 sm:px-8">
      <Link href="/" className="rounded-md">
        <Brand />
      </Link>
      <nav aria-label="Main" className="flex items-center gap-1">
        <a href="/docs" className="btn btn-bare hidden sm:inline-flex">
          API docs
        </a>
        <ThemeButton />
        <Link href="/sign-in" className="btn btn-ghost">
          Sign in
        </Link>
      </nav>
    </header>
  )
}
