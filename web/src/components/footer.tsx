import { Link } from 'wouter'
import { useSettings } from '../settings.ts'

const LICENCE = 'https://www.apache.org/licenses/LICENSE-2.0'
const LINK = 'inline-flex min-h-6 items-center hover:text-fg hover:underline'

/** Below the pages for visitors. */
export function Footer() {
  const settings = useSettings()
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-[1120px] flex-wrap items-center gap-x-6 gap-y-2 px-4 py-5 text-sm text-fg-2 sm:px-8">
        <span className="mr-auto">Docvet {settings?.version}</span>
        <a href="/docs" className={LINK}>
          API docs
        </a>
        <Link href="/plans" className={LINK}>
          Plans and limits
        </Link>
        <a href="/api/v1/health" className={LINK}>
          Status
        </a>
        <a href={LICENCE} rel="noreferrer" className={LINK}>
          Apache License 2.0
        </a>
        {settings?.contact && (
          <a href={settings.contact} className={LINK}>
            Contact the operator
          </a>
        )}
      </div>
    </footer>
  )
}
