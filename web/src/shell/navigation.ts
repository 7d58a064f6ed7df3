/** The links of the sidebar, and of the tab bar on small screens. */
import {
  BookOpen,
  ChartColumn,
  CreditCard,
  FileSearch,
  History,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessageCircleQuestionMark,
  Settings,
  ShieldCheck,
} from 'lucide-react'

export interface NavigationItem {
  href: string
  label: string
  icon: LucideIcon
  /** Served by the service itself, not a page of the dashboard. */
  isExternal?: boolean
}

const USAGE: NavigationItem = { href: '/usage', label: 'Usage', icon: ChartColumn }

/** In the tab bar, which has room for these and for the menu with all others. */
export const TAB_ITEMS: readonly NavigationItem[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard },
  { href: '/scan', label: 'Scan', icon: FileSearch },
  { href: '/history', label: 'History', icon: History },
  { href: '/keys', label: 'API keys', icon: KeyRound },
]

const ALLOWED: NavigationItem = { href: '/allowed', label: 'Allow list', icon: ShieldCheck }

const SECOND_ITEMS: readonly NavigationItem[] = [
  { href: '/docs', label: 'API docs', icon: BookOpen, isExternal: true },
  { href: '/assistant', label: 'Assistant', icon: MessageCircleQuestionMark },
  { href: '/subscription', label: 'Subscription', icon: CreditCard },
  { href: '/settings', label: 'Settings', icon: Settings },
]

/** The sidebar has room for everything, in two lists. */
export const SIDEBAR_LISTS: readonly (readonly NavigationItem[])[] = [[...TAB_ITEMS, ALLOWED, USAGE], SECOND_ITEMS]

export const MORE_ITEMS: readonly NavigationItem[] = [ALLOWED, USAGE, ...SECOND_ITEMS]
