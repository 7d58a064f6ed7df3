/** The plans for visitors who are not signed in. */
import { Footer } from '../../components/footer.tsx'
import { GuestHeader } from '../../components/guest-header.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PlanTable } from './plan-table.tsx'

export default function PlansGuestPage() {
  return (
    <div className="flex min-h-dvh flex-col">
      <GuestHeader />
      <main tabIndex={-1} className="mx-auto w-full max-w-[864px] grow px-4 pt-8 pb-16 outline-none sm:px-8">
        <PageHead title="Plans and limits" lead="How much can be scanned, and what is accepted." />
        <PlanTable current={null} />
      </main>
      <Footer />
    </div>
  )
}
