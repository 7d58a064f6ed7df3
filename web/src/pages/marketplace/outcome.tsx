import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Icon } from '../../components/icons.tsx'

interface OutcomeProps {
  icon?: Icon
  tone?: 'done' | 'warn'
  title: string
  children?: ReactNode
}

/** One state of the landing page: an icon, what happened, and what to do. */
export function Outcome({ icon: Icon, tone = 'warn', title, children }: OutcomeProps) {
  return (
    <>
      {Icon && <Icon size={26} className={tone === 'done' ? 'text-accent' : 'text-warn'} aria-hidden />}
      <h1 className={`text-xl font-semibold tracking-[-0.01em] ${Icon ? 'mt-3' : ''}`}>{title}</h1>
      {children}
    </>
  )
}

export function ToDashboard({ className = 'mt-6' }: { className?: string }) {
  return (
    <Link href="/" className={`btn btn-ghost btn-large ${className}`}>
      Open the dashboard
    </Link>
  )
}
