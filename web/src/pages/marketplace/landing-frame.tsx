import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../../components/brand.tsx'

const STEPS = ['Purchase', 'Confirm', 'Active']

interface LandingFrameProps {
  /** The current one of the three steps, from 1. */
  step: number
  children: ReactNode
}

/** The steps, and a card with the current one. */
export function LandingFrame({ step, children }: LandingFrameProps) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] flex-col justify-center px-4 py-10">
      <Link href="/" className="self-start rounded-md">
        <Brand />
      </Link>
      <ol className="mt-8 flex gap-2 text-xs" aria-label="Steps">
        {STEPS.map((title, index) => (
          <li key={title} className="grow basis-0" aria-current={index + 1 === step ? 'step' : undefined}>
            <span className={`block h-1 rounded-full ${index < step ? 'bg-accent-bar' : 'bg-line'}`} />
            <span className={`mt-2 block ${index + 1 === step ? 'font-medium text-fg' : 'text-fg-2'}`}>{title}</span>
          </li>
        ))}
      </ol>
      <div className="card mt-5 p-6" aria-live="polite">
        {children}
      </div>
    </main>
  )
}
