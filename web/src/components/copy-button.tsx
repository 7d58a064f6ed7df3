/** Copies a text and says so. */

import { type ReactNode, useEffect, useState } from 'react'
import { Check, Copy } from './icons.tsx'

const SHOWN_MS = { copied: 1_500, failed: 6_000 }

const FAILED =
  'absolute top-full right-0 z-10 w-48 rounded-md border border-line bg-raised px-3 py-2 text-xs text-fg shadow-pop'

interface CopyButtonProps {
  value: string
  /** Names the button if it has no text of its own. */
  label: string
  children?: ReactNode
  className?: string
}

export function CopyButton({ value, label, children, className = 'btn-icon' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS[outcome])
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }

  return (
    <span className="relative inline-flex shrink-0">
      <button
        type="button"
        className={className}
        title={label}
        aria-label={children === undefined ? label : undefined}
        onClick={copy}
      >
        {outcome === 'copied' ? (
          <Check size={15} className="text-accent" aria-hidden />
        ) : (
          <Copy size={15} aria-hidden />
        )}
        {children}
      </button>
      {/* Beside the button, because screen readers do not announce what changes inside one. */}
      <span role="status" className={outcome === 'failed' ? FAILED : 'sr-only'}>
        {outcome === 'copied' && 'Copied'}
        {outcome === 'failed' && 'The browser does not allow copying here. Select the text instead.'}
      </span>
    </span>
  )
}
