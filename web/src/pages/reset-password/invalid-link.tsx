import { Link } from 'wouter'
import { AuthCard } from '../../components/auth-card.tsx'

/** One text for a link that was used, has expired, was replaced or never existed. */
export function InvalidLink() {
  return (
    <AuthCard title="This link does not work">
      <p role="alert" className="text-fg-2">
        It has expired, was already used, or was replaced by a newer one. A link is valid for 10 minutes.
      </p>
      <Link href="/forgot-password" className="btn btn-primary btn-large mt-5">
        Request a new link
      </Link>
    </AuthCard>
  )
}
