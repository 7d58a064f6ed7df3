import type { ReactNode } from 'react'
import { ChevronRight } from './icons.tsx'

interface FoldProps {
  title: string
  /** Beside the title, such as a number. */
  aside?: ReactNode
  children: ReactNode
}

/** A card that is closed until somebody wants to know more. */
export function Fold({ title, aside, children }: FoldProps) {
  return (
    <details className="card group overflow-hidden">
      <summary className="flex list-none items-center gap-2 rounded-lg px-5 py-3 -outline-offset-2 hover:bg-sunken">
        <ChevronRight size={16} className="shrink-0 text-fg-2 transition-transform group-open:rotate-90" aria-hidden />
        <h2 className="text-base font-semibold tracking-[-0.005em]">{title}</h2>
        {aside && <span className="text-sm text-fg-2">{aside}</span>}
      </summary>
      <div className="border-t border-line">{children}</div>
    </details>
  )
}
