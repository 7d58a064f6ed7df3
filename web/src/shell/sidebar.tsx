/** The navigation on wide screens. */
import { Link } from 'wouter'
import { Brand } from '../components/brand.tsx'
import { type NavigationItem, useNavigation } from './navigation.ts'
import { NavigationLink } from './navigation-link.tsx'
import { QuotaBar } from './quota-bar.tsx'

const LINK = 'flex h-9 items-center gap-2.5 rounded-md px-2.5 text-base transition-colors'

const linkClass = (isCurrent: boolean): string =>
  `${LINK} ${isCurrent ? 'bg-sunken font-medium text-fg' : 'text-fg-2 hover:bg-sunken hover:text-fg'}`

function SidebarList({ items }: { items: readonly NavigationItem[] }) {
  return (
    <ul className="grid gap-0.5">
      {items.map((item) => (
        <li key={item.href}>
          <NavigationLink item={item} className={linkClass}>
            <item.icon size={16} aria-hidden />
            {item.label}
          </NavigationLink>
        </li>
      ))}
    </ul>
  )
}

export function Sidebar() {
  return (
    <aside
      aria-label="Sidebar"
      className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-surface px-3 py-4 lg:flex"
    >
      <Link href="/" className="rounded-md px-2.5">
        <Brand />
      </Link>
      <nav aria-label="Main" className="-mx-1 mt-5 mb-2 flex grow flex-col justify-between gap-4 overflow-y-auto p-1">
        {useNavigation().sidebar.map((items) => (
          <SidebarList key={items[0]?.href} items={items} />
        ))}
      </nav>
      <QuotaBar />
    </aside>
  )
}
