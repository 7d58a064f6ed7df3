import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/queries.ts'
import { PageHead } from '../../components/page-head.tsx'
import { useSettings } from '../../settings.ts'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { LeaveAccountCard } from './leave-account-card.tsx'
import { OwnershipCards } from './ownership-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { ThemeCard } from './theme-card.tsx'
import { WaysCard } from './ways-card.tsx'

export default function SettingsPage() {
  const { data: me } = useQuery(meQuery)
  const hasPasswords = useSettings()?.passwords !== false
  return (
    <div className="max-w-[720px]">
      <PageHead title="Settings" lead={me === undefined ? 'Your account' : `Signed in as ${me.email}`} />
      <div className="grid grid-cols-1 gap-4">
        <OwnershipCards />
        <WaysCard />
        <PasskeysCard />
        {hasPasswords && <PasswordCard />}
        <SessionsCard />
        <ThemeCard />
        {me?.actingAs ? <LeaveAccountCard account={me.actingAs} /> : <DeleteAccountCard />}
      </div>
    </div>
  )
}
