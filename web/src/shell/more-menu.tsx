/** The last tab on small screens: a menu with the pages that have no tab of their own. */

import { useRef } from 'react'
import { useLocation } from 'wouter'
import { Ellipsis } from '../components/icons.tsx'
import { useNavigation } from './navigation.ts'
import { isBelow, NavigationLink } from './navigation-link.tsx'

const MENU = 'more-menu'
const LINK = 'flex h-11 items-center gap-3 rounded-sm px-3 text-base'

const linkClass = (isCurrent: boolean): string =>
  `${LINK} ${isCurrent ? 'bg-sunken font-medium text-fg' : 'text-fg-2 hover:bg-sunken hover:text-fg'}`

export function MoreMenu({ className }: { className: (isCurrent: boolean) => string }) {
  const [location] = useLocation()
  const menu = useRef<HTMLUListElement>(null)
  const { more } = useNavigation()
  const isCurrent = more.some(({ href }) => isBelow(location, href))
  return (
    <>
      <button type="button" popoverTarget={MENU} className={`w-full ${className(isCurrent)}`}>
        <Ellipsis size={18} aria-hidden />
        More
      </button>
      <ul
        id={MENU}
        ref={menu}
        popover="auto"
        className="fixed inset-auto right-2 bottom-16 m-0 w-56 rounded-lg border border-line bg-raised p-1 shadow-pop"
      >
        {more.map((item) => (
          <li key={item.href}>
            <NavigationLink item={item} className={linkClass} onClick={() => menu.current?.hidePopover()}>
              <item.icon size={17} aria-hidden />
              {item.label}
            </NavigationLink>
          </li>
        ))}
      </ul>
    </>
  )
}
