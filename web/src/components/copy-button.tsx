/** Copies a text and says so. */
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'

const SHOWN_MS = 1_500

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
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
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
    <button
      type="button"
      className={className}
      title={label}
      aria-label={children === undefined ? label : undefined}
      onClick={copy}
    >
      {outcome === 'copied' ? <Check size={15} className="text-ok" aria-hidden /> : <Copy size={15} aria-hidden />}
      {children}
      <span role="status" className="sr-only">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'failed' && 'Copying is not allowed here. Select the text instead.'}
      </span>
    </button>
  )
}
