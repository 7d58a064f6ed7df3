import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../../components/brand.tsx'

const STEPS = ['Purchase', 'Confirm', 'Active']

interface LandingFrameProps {
  /** The current one of the three steps, from 1; null if there is nothing to complete. */
  step: 1 | 2 | 3 | null
  children: ReactNode
}

/** The steps, and a card with the current one. */
export function LandingFrame({ step, children }: LandingFrameProps) {
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-[560px] flex-col justify-center px-4 py-10 outline-none"
    >
      <Link href="/" className="self-start rounded-md">
        <Brand />
      </Link>
      {step !== null && (
        <ol className="mt-8 flex gap-2 text-xs" aria-label="Steps">
          {STEPS.map((title, index) => (
            <li key={title} className="grow basis-0" aria-current={index + 1 === step ? 'step' : undefined}>
              <span className={`block h-1 rounded-full ${index < step ? 'bar bg-accent-bar' : 'bg-line'}`} />
              <span className={`mt-2 block ${index + 1 === step ? 'font-medium text-fg' : 'text-fg-2'}`}>{title}</span>
            </li>
          ))}
        </ol>
      )}
      <div className="card mt-5 p-6" aria-live="polite">
        {children}
      </div>
    </main>
  )
}
