/** The signed-in account, and the way out. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { meQuery } from '../api/queries.ts'
import { signOut } from '../api/sign-out.ts'
import { ChevronsUpDown, LogOut, Settings, ShieldCheck } from '../components/icons.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useOpened } from '../hooks/use-opened.ts'
import { AccountList } from './account-list.tsx'

const MENU = 'account-menu'

export function AccountMenu() {
  const { data: me } = useQuery(meQuery)
  const { run, isPending, problem } = useAction(() => signOut())
  const email = me?.email ?? ''
  const { panel: menu, wasOpened } = useOpened()
  return (
    <div className="relative">
      <button
        type="button"
        popoverTarget={MENU}
        className="flex h-8 items-center gap-2 rounded-md py-1 pr-1.5 pl-1 text-sm hover:bg-sunken"
      >
        <span
          aria-hidden="true"
          className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase"
        >
          {email.slice(0, 2)}
        </span>
        <span className="hidden max-w-56 truncate sm:inline">{email}</span>
        <span className="sr-only">Account menu</span>
        <ChevronsUpDown size={14} className="text-fg-3" aria-hidden />
      </button>
      <div
        id={MENU}
        ref={menu}
        popover="auto"
        className="fixed inset-auto top-13 right-4 m-0 min-w-52 rounded-md border border-line bg-raised p-1 text-sm text-fg shadow-pop sm:right-8"
      >
        <p className="truncate px-2 py-1.5 text-fg-2 sm:hidden">{email}</p>
        {wasOpened && <AccountList />}
        <Link
          href="/settings"
          className="flex h-8 items-center gap-2 rounded-sm px-2 hover:bg-sunken"
          onClick={() => document.getElementById(MENU)?.hidePopover()}
        >
          <Settings size={14} aria-hidden />
          Settings
        </Link>
        {me?.operator && (
          <Link
            href="/operator"
            className="flex h-8 items-center gap-2 rounded-sm px-2 hover:bg-sunken"
            onClick={() => document.getElementById(MENU)?.hidePopover()}
          >
            <ShieldCheck size={14} aria-hidden />
            Operator
          </Link>
        )}
        <button
          type="button"
          className="flex h-8 w-full items-center gap-2 rounded-sm px-2 hover:bg-sunken"
          disabled={isPending}
          onClick={() => run(undefined)}
        >
          <LogOut size={14} aria-hidden />
          Sign out
        </button>
        {problem && (
          <p role="alert" className="max-w-60 px-2 py-1.5 text-bad">
            You are still signed in. {problem.detail}
          </p>
        )}
      </div>
    </div>
  )
}
