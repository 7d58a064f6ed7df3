/** The links of the sidebar and of the tab bar on small screens. */
import {
  BookOpen,
  FileSearch,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessageCircleQuestionMark,
} from 'lucide-react'

export interface NavigationItem {
  href: string
  label: string
  icon: LucideIcon
  /** Served by the service itself, not a page of the dashboard. */
  isExternal?: boolean
  /** Also in the tab bar, which has room for five. */
  isTab?: boolean
}

export const MAIN_ITEMS: readonly NavigationItem[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard, isTab: true },
  { href: '/scan', label: 'Scan', icon: FileSearch, isTab: true },
  { href: '/keys', label: 'API keys', icon: KeyRound, isTab: true },
]

export const MORE_ITEMS: readonly NavigationItem[] = [
  { href: '/docs', label: 'API docs', icon: BookOpen, isExternal: true, isTab: true },
  { href: '/assistant', label: 'Assistant', icon: MessageCircleQuestionMark, isTab: true },
]
