/** A link of the navigation, which knows whether it is the current page. */
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { NavigationItem } from './navigation.ts'

interface NavigationLinkProps {
  item: NavigationItem
  className: (isCurrent: boolean) => string
  onClick?: () => void
  children: ReactNode
}

/** The page itself, or one below it. */
export function isBelow(location: string, href: string): boolean {
  return location === href || (href !== '/' && location.startsWith(`${href}/`))
}

export function NavigationLink({ item, className, onClick, children }: NavigationLinkProps) {
  const [location] = useLocation()
  const isCurrent = isBelow(location, item.href)
  const attributes = {
    className: className(isCurrent),
    'aria-current': isCurrent ? ('page' as const) : undefined,
    onClick,
  }
  if (item.isExternal) {
    return (
      <a href={item.href} {...attributes}>
        {children}
      </a>
    )
  }
  return (
    <Link href={item.href} {...attributes}>
      {children}
    </Link>
  )
}
