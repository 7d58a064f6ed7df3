import type { ReactNode } from 'react'

interface PageHeadProps {
  title: string
  lead?: ReactNode
  /** Buttons at the end of the line. */
  children?: ReactNode
}

/** The heading of a page in the shell. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
        {lead && <p className="mt-1 text-fg-2">{lead}</p>}
      </div>
      {children}
    </div>
  )
}
