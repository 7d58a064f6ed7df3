import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface OutcomeProps {
  icon?: LucideIcon
  tone?: 'ok' | 'warn'
  title: string
  children?: ReactNode
}

/** One state of the landing page: an icon, what happened, and what to do. */
export function Outcome({ icon: Icon, tone = 'warn', title, children }: OutcomeProps) {
  return (
    <>
      {Icon && <Icon size={26} className={tone === 'ok' ? 'text-ok' : 'text-warn'} aria-hidden />}
      <h1 className={`text-xl font-semibold tracking-[-0.01em] ${Icon ? 'mt-3' : ''}`}>{title}</h1>
      {children}
    </>
  )
}
