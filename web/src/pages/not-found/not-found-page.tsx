import { Link } from 'wouter'
import { AuthCard } from '../../components/auth-card.tsx'
import { usePageTitle } from '../../hooks/use-page-title.ts'

export default function NotFoundPage() {
  usePageTitle('Not found')
  return (
    <AuthCard title="There is nothing at this address">
      <p className="text-balance text-fg-2">Check the address, or continue at one of these pages.</p>
      <Link href="/" className="btn btn-primary btn-large mt-5">
        Open the dashboard
      </Link>
      <a href="/docs" className="btn btn-ghost btn-large mt-2">
        Read the API docs
      </a>
    </AuthCard>
  )
}
