/** The sandbox marketplace: a stand-in for the cloud marketplace, in which everything is free. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { Brand } from '../../components/brand.tsx'
import { ArrowLeft } from '../../components/icons.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ThemeButton } from '../../shell/theme-button.tsx'
import { PlanList } from './plan-list.tsx'
import { PurchaseList } from './purchase-list.tsx'
import { shopQuery } from './sandbox-api.ts'

function Header() {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex h-14 max-w-[1120px] items-center justify-between gap-3 px-4 sm:px-8">
        <Link href="/" className="rounded-md">
          <Brand />
        </Link>
        <nav aria-label="Main" className="flex items-center gap-1">
          <Link href="/" className="btn btn-bare">
            <ArrowLeft size={15} aria-hidden />
            Dashboard
          </Link>
          <ThemeButton />
        </nav>
      </div>
    </header>
  )
}

export default function SandboxPage() {
  const shop = useQuery(shopQuery)
  return (
    <>
      <Header />
      <main tabIndex={-1} className="mx-auto max-w-[1120px] px-4 pt-7 pb-16 outline-none sm:px-8">
        <PageHead
          title="Sandbox marketplace"
          lead="A stand-in for the cloud marketplace: purchases are free, and webhooks are signed like the real ones."
        />
        {shop.isPending && <Skeleton className="h-72" />}
        {shop.isError && (
          <ProblemBox
            problem={toProblem(shop.error)}
            what="The shop could not be loaded."
            retry={() => shop.refetch()}
          />
        )}
        {shop.data && (
          <div className="grid gap-4">
            <PlanList plans={shop.data.plans} />
            <PurchaseList purchases={shop.data.purchases} plans={shop.data.plans} />
          </div>
        )}
      </main>
    </>
  )
}
