/** Tabs: the arrow keys move between them, as the ARIA practices ask for. */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

interface Tab {
  title: string
  content: ReactNode
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function Tabs({ label, tabs }: TabsProps) {
  const [selected, setSelected] = useState(0)
  const id = useId()

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (selected + step + tabs.length) % tabs.length
    setSelected(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }

  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        className="flex flex-wrap gap-x-2 border-b border-line text-sm"
        onKeyDown={onKeyDown}
      >
        {tabs.map(({ title }, index) => (
          <button
            key={title}
            id={`${id}-tab-${index}`}
            type="button"
            role="tab"
            aria-selected={index === selected}
            aria-controls={`${id}-panel`}
            tabIndex={index === selected ? 0 : -1}
            className="-mb-px min-w-8 border-b-2 border-transparent px-1 py-2 text-fg-2 -outline-offset-2 hover:text-fg aria-selected:border-accent aria-selected:font-medium aria-selected:text-fg"
            onClick={() => setSelected(index)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${selected}`} className="mt-4 min-w-0 grow">
        {tabs[selected]?.content}
      </div>
    </>
  )
}
