/** The page for visitors who are not signed in. */
import { Link } from 'wouter'
import { Brand } from '../../components/brand.tsx'
import { ThemeButton } from '../../shell/theme-button.tsx'
import { ExampleVerdict } from './example-verdict.tsx'
import { Points } from './points.tsx'

function Header() {
  return (
    <header className="mx-auto flex h-14 max-w-[1120px] items-center justify-between gap-3 px-4 sm:px-8">
      <Brand />
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

export default function FrontPage() {
  return (
    <>
      <Header />
      <main tabIndex={-1} className="mx-auto max-w-[1120px] px-4 pt-12 pb-16 outline-none sm:px-8 lg:pt-20">
        {new URLSearchParams(location.search).has('deleted') && (
          <p role="status" className="mb-8 rounded-md border border-line bg-surface px-4 py-3 text-sm">
            Your account is deleted, and everything that was stored about you is erased.
          </p>
        )}
        <div className="grid grid-cols-1 items-center gap-12 lg:grid-cols-2">
          <div>
            <h1 className="text-[2.25rem] leading-[1.15] font-semibold tracking-[-0.03em] text-balance">
              Know that a document is safe before anyone opens it
            </h1>
            <p className="mt-4 text-lg text-pretty text-fg-2">
              Docvet scans PDF, Office, text and ZIP files for malware, on your own server. A document is clean, or it
              is infected, or it is refused with the reason. It is never guessed.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              <Link href="/sign-up" className="btn btn-primary h-10 px-5 text-base">
                Create an account
              </Link>
              <a href="/docs" className="btn btn-ghost h-10 px-5 text-base">
                Read the API docs
              </a>
            </div>
          </div>
          <ExampleVerdict />
        </div>
        <Points />
      </main>
    </>
  )
}
