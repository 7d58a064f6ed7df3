/** Every page: its path, its title, and who sees it. Pages are loaded when they are opened. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { PagePath } from './paths.ts'
import type { Role } from './role.tsx'

export interface Page {
  title: string
  component: LazyExoticComponent<ComponentType>
  /** Shown instead to people who are not signed in. */
  guest?: LazyExoticComponent<ComponentType>
  /**
   * `account`: in the shell, after sign-in. `session`: after sign-in, without the shell. `open`: for everyone, and it
   * reads from the API. `bare`: for everyone, and it only sends requests.
   */
  frame: 'account' | 'session' | 'open' | 'bare'
  /** What it needs in the account that the session works in; everybody sees it if absent. */
  role?: Role
}

export const PAGES: Readonly<Record<PagePath, Page>> = {
  '/': {
    title: 'Overview',
    frame: 'account',
    component: lazy(() => import('./pages/overview/overview-page.tsx')),
    guest: lazy(() => import('./pages/front/front-page.tsx')),
  },
  '/sign-in': { title: 'Sign in', frame: 'bare', component: lazy(() => import('./pages/sign-in/sign-in-page.tsx')) },
  '/sign-up': {
    title: 'Create an account',
    frame: 'bare',
    component: lazy(() => import('./pages/sign-up/sign-up-page.tsx')),
  },
  '/forgot-password': {
    title: 'Reset your password',
    frame: 'bare',
    component: lazy(() => import('./pages/forgot-password/forgot-password-page.tsx')),
  },
  '/reset-password': {
    title: 'Choose a new password',
    frame: 'bare',
    component: lazy(() => import('./pages/reset-password/reset-password-page.tsx')),
  },
  '/undo-sign-in': {
    title: 'Remove a way to sign in',
    frame: 'bare',
    component: lazy(() => import('./pages/undo-sign-in/undo-sign-in-page.tsx')),
  },
  '/recover': {
    title: 'Use a recovery code',
    frame: 'bare',
    component: lazy(() => import('./pages/recover/recover-page.tsx')),
  },
  '/join': { title: 'Join an account', frame: 'bare', component: lazy(() => import('./pages/join/join-page.tsx')) },
  '/scan': {
    title: 'Scan',
    frame: 'account',
    role: 'member',
    component: lazy(() => import('./pages/scan/scan-page.tsx')),
  },
  '/operator': {
    title: 'Operator',
    frame: 'account',
    component: lazy(() => import('./pages/operator/operator-page.tsx')),
  },
  '/history': {
    title: 'History',
    frame: 'account',
    component: lazy(() => import('./pages/history/history-page.tsx')),
  },
  '/history/:id': {
    title: 'Scan report',
    frame: 'account',
    component: lazy(() => import('./pages/history/report-page.tsx')),
  },
  '/allowed': {
    title: 'Allow list',
    frame: 'account',
    component: lazy(() => import('./pages/allowed/allowed-page.tsx')),
  },
  '/connect': {
    title: 'Connect',
    frame: 'account',
    role: 'member',
    component: lazy(() => import('./pages/connect/connect-page.tsx')),
  },
  '/callbacks': {
    title: 'Callbacks',
    frame: 'account',
    role: 'admin',
    component: lazy(() => import('./pages/callbacks/callbacks-page.tsx')),
  },
  '/callbacks/:id': {
    title: 'Callback endpoint',
    frame: 'account',
    role: 'admin',
    component: lazy(() => import('./pages/callbacks/endpoint-page.tsx')),
  },
  '/members': {
    title: 'Members',
    frame: 'account',
    role: 'admin',
    component: lazy(() => import('./pages/members/members-page.tsx')),
  },
  '/usage': { title: 'Usage', frame: 'account', component: lazy(() => import('./pages/usage/usage-page.tsx')) },
  '/settings': {
    title: 'Settings',
    frame: 'account',
    component: lazy(() => import('./pages/settings/settings-page.tsx')),
  },
  '/subscription': {
    title: 'Subscription',
    frame: 'account',
    role: 'owner',
    component: lazy(() => import('./pages/subscription/subscription-page.tsx')),
  },
  '/plans': {
    title: 'Plans and limits',
    frame: 'account',
    component: lazy(() => import('./pages/plans/plans-page.tsx')),
    guest: lazy(() => import('./pages/plans/plans-guest-page.tsx')),
  },
  '/keys': {
    title: 'API keys',
    frame: 'account',
    role: 'member',
    component: lazy(() => import('./pages/keys/keys-page.tsx')),
  },
  '/assistant': {
    title: 'Assistant',
    frame: 'account',
    component: lazy(() => import('./pages/assistant/assistant-page.tsx')),
  },
  '/marketplace/landing': {
    title: 'Activate your subscription',
    frame: 'session',
    component: lazy(() => import('./pages/marketplace/landing-page.tsx')),
  },
  '/sandbox': {
    title: 'Sandbox marketplace',
    frame: 'open',
    component: lazy(() => import('./pages/sandbox/sandbox-page.tsx')),
  },
}
