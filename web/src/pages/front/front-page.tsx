/** The page for visitors who are not signed in. */
import { Link } from 'wouter'
import { Footer } from '../../components/footer.tsx'
import { GuestHeader } from '../../components/guest-header.tsx'
import { Operator } from '../../components/operator.tsx'
import { useSettings } from '../../settings.ts'
import { ExampleVerdict } from './example-verdict.tsx'
import { Points } from './points.tsx'
import { Ways } from './ways.tsx'

export default function FrontPage() {
  const signup = useSettings()?.signup
  return (
    <>
      <GuestHeader />
      <main tabIndex={-1} className="mx-auto max-w-[1120px] px-4 pt-12 pb-16 outline-none sm:px-8 lg:pt-20">
        {new URLSearchParams(location.search).has('deleted') && (
          <p role="status" className="mb-8 rounded-md border border-line bg-surface px-4 py-3 text-sm">
            Your account is deleted, and everything that was stored about you is erased.
          </p>
        )}
        <div className="grid grid-cols-1 items-center gap-12 lg:grid-cols-2">
          <div>
            <h1 className="text-[2.25rem] leading-[1.15] font-semibold tracking-[-0.03em] text-balance">
              Have documents scanned for malware before anyone opens them
            </h1>
            <p className="mt-4 text-lg text-pretty text-fg-2">
              Docvet runs on your own server. Documents it cannot fully inspect are rejected with a reason, never
              guessed. No scanner finds everything: clean means that no engine recognised a threat.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              {signup !== 'closed' && (
                <Link
                  href="/sign-up"
                  className={`btn btn-primary h-10 px-5 text-base ${signup === undefined ? 'invisible' : ''}`}
                >
                  Create an account
                </Link>
              )}
              <a href="/docs" className="btn btn-ghost h-10 px-5 text-base">
                Read the API docs
              </a>
            </div>
            {signup === 'closed' && (
              <p className="mt-4 text-sm text-fg-2">
                Sign-up is closed. Ask <Operator /> for an account.
              </p>
            )}
          </div>
          <ExampleVerdict />
        </div>
        <Points />
        <Ways />
      </main>
      <Footer />
    </>
  )
}
