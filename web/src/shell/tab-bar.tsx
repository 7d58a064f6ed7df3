/** The navigation on small screens, at the bottom within reach of the thumb. */
import { MoreMenu } from './more-menu.tsx'
import { useNavigation } from './navigation.ts'
import { NavigationLink } from './navigation-link.tsx'

const TAB = 'flex h-14 flex-col items-center justify-center gap-1 text-[11px] -outline-offset-4'

const tabClass = (isCurrent: boolean): string => `${TAB} ${isCurrent ? 'font-medium text-accent' : 'text-fg-2'}`

export function TabBar() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="mx-auto flex max-w-md">
        {useNavigation().tabs.map((item) => (
          <li key={item.href} className="grow basis-0">
            <NavigationLink item={item} className={tabClass}>
              <item.icon size={18} aria-hidden />
              {item.label}
            </NavigationLink>
          </li>
        ))}
        <li className="grow basis-0">
          <MoreMenu className={tabClass} />
        </li>
      </ul>
    </nav>
  )
}
