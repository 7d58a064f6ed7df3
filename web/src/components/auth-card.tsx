/** The frame of the pages around signing in: one card in the middle of the page. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Mark } from './brand.tsx'

interface AuthCardProps {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** Below the card. */
  footer?: ReactNode
}

export function AuthCard({ title, lead, children, footer }: AuthCardProps) {
  return (
    <main tabIndex={-1} className="grid min-h-dvh place-items-center px-4 py-10 outline-none">
      <div className="w-full max-w-[380px]">
        <div className="flex flex-col items-center text-center">
          <Link href="/" aria-label="Docvet" className="rounded-lg">
            <Mark size={40} />
          </Link>
          <h1 className="mt-5 text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
          {lead && <p className="mt-1 text-pretty text-fg-2">{lead}</p>}
        </div>
        <div className="card mt-7 p-6">{children}</div>
        {footer && <p className="mt-5 text-center text-sm text-fg-2">{footer}</p>}
      </div>
    </main>
  )
}
