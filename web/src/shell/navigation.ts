/** The links of the sidebar, and of the tab bar on small screens. */
import {
  BookOpen,
  ChartColumn,
  CreditCard,
  FileSearch,
  History,
  type Icon,
  KeyRound,
  LayoutDashboard,
  MessageCircleQuestionMark,
  Plug,
  Settings,
  ShieldCheck,
  Webhook,
} from '../components/icons.tsx'
import { useSettings } from '../settings.ts'

export interface NavigationItem {
  href: string
  label: string
  icon: Icon
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

const CONNECT: NavigationItem = { href: '/connect', label: 'Connect', icon: Plug }
const CALLBACKS: NavigationItem = { href: '/callbacks', label: 'Callbacks', icon: Webhook }
const ALLOWED: NavigationItem = { href: '/allowed', label: 'Allow list', icon: ShieldCheck }

const SUBSCRIPTION: NavigationItem = { href: '/subscription', label: 'Subscription', icon: CreditCard }
/** Where nothing can be bought. */
const PLANS: NavigationItem = { href: '/plans', label: 'Plans and limits', icon: CreditCard }

/** The sidebar has room for everything, in two lists; on small screens, `more` is a menu. */
export function useNavigation() {
  const second: readonly NavigationItem[] = [
    { href: '/docs', label: 'API docs', icon: BookOpen, isExternal: true },
    { href: '/assistant', label: 'Assistant', icon: MessageCircleQuestionMark },
    useSettings()?.marketplace === 'off' ? PLANS : SUBSCRIPTION,
    { href: '/settings', label: 'Settings', icon: Settings },
  ]
  const third = [CONNECT, CALLBACKS, ALLOWED, USAGE]
  return { sidebar: [[...TAB_ITEMS, ...third], second], more: [...third, ...second] }
}
