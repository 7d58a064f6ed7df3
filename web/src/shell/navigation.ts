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
  Users,
  Webhook,
} from '../components/icons.tsx'
import { type Role, useMay } from '../role.tsx'
import { useSettings } from '../settings.ts'

export interface NavigationItem {
  href: string
  label: string
  icon: Icon
  /** Served by the service itself, not a page of the dashboard. */
  isExternal?: boolean
  /** As that of its page. */
  role?: Role
}

const USAGE: NavigationItem = { href: '/usage', label: 'Usage', icon: ChartColumn }

/** In the tab bar, which has room for these and for the menu with all others. */
const TAB_ITEMS: readonly NavigationItem[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard },
  { href: '/scan', label: 'Scan', icon: FileSearch, role: 'member' },
  { href: '/history', label: 'History', icon: History },
  { href: '/keys', label: 'API keys', icon: KeyRound, role: 'member' },
]

const CONNECT: NavigationItem = { href: '/connect', label: 'Connect', icon: Plug, role: 'member' }
const CALLBACKS: NavigationItem = { href: '/callbacks', label: 'Callbacks', icon: Webhook, role: 'admin' }
const MEMBERS: NavigationItem = { href: '/members', label: 'Members', icon: Users, role: 'admin' }
const ALLOWED: NavigationItem = { href: '/allowed', label: 'Allow list', icon: ShieldCheck }

const SUBSCRIPTION: NavigationItem = { href: '/subscription', label: 'Subscription', icon: CreditCard, role: 'owner' }
/** Where nothing can be bought. */
const PLANS: NavigationItem = { href: '/plans', label: 'Plans and limits', icon: CreditCard }

/** The sidebar has room for everything, in two lists; on small screens, `more` is a menu. */
export function useNavigation() {
  const second: readonly NavigationItem[] = [
    { href: '/docs', label: 'API docs', icon: BookOpen, isExternal: true },
    { href: '/assistant', label: 'Assistant', icon: MessageCircleQuestionMark },
    useSettings()?.marketplace === 'off' ? PLANS : SUBSCRIPTION,
    MEMBERS,
    { href: '/settings', label: 'Settings', icon: Settings },
  ]
  const third = [CONNECT, CALLBACKS, ALLOWED, USAGE]
  const may = useMay()
  const shown = (items: readonly NavigationItem[]) => items.filter(({ role = 'viewer' }) => may(role))
  return {
    ...{ sidebar: [shown([...TAB_ITEMS, ...third]), shown(second)], more: shown([...third, ...second]) },
    tabs: shown(TAB_ITEMS),
  }
}
