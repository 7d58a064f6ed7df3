import type { ReactNode } from 'react'
import type { Icon } from './icons.tsx'

interface EmptyProps {
  icon: Icon
  title: string
  children: ReactNode
}

/** The text of a list that is still empty. */
export function Empty({ icon: Icon, title, children }: EmptyProps) {
  return (
    <div className="px-5 py-10 text-center">
      <Icon size={22} className="mx-auto text-fg-3" aria-hidden />
      <p className="mt-3 font-medium">{title}</p>
      <p className="mt-1 text-sm text-balance text-fg-2">{children}</p>
    </div>
  )
}
