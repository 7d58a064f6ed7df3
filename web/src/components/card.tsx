import { type ReactNode, useId } from 'react'

interface CardProps {
  title: string
  lead?: ReactNode
  /** Buttons at the end of the heading. */
  actions?: ReactNode
  children: ReactNode
  className?: string
}

/** A titled section. */
export function Card({ title, lead, actions, children, className = '' }: CardProps) {
  const id = useId()
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4">
        <div className="min-w-0">
          <h2 id={id} className="text-base font-semibold tracking-[-0.005em]">
            {title}
          </h2>
          {lead && <p className="mt-0.5 text-sm text-fg-2">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
