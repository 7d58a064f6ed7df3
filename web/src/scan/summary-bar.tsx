/** Several documents at a glance: how far the scans are, and how many have each outcome, as a filter. */
import { LOOKS } from '../verdict/look.ts'
import type { Outcome } from '../verdict/outcome.ts'
import { Bar } from './progress-bar.tsx'
import { isOpen, outcomeOfItem, type ScanItem } from './scan-item.ts'

const ORDER: readonly Outcome[] = ['infected', 'none', 'test', 'clean']
/** After a number: "4 infected". */
const nounOf = (outcome: Outcome, count: number): string =>
  `${LOOKS[outcome].label.toLowerCase()}${outcome === 'test' && count > 1 ? 's' : ''}`

interface SummaryBarProps {
  items: readonly ScanItem[]
  shown: Outcome | null
  onShow: (outcome: Outcome | null) => void
  onClear: () => void
}

export function SummaryBar({ items, shown, onShow, onClear }: SummaryBarProps) {
  const outcomes = items.map(outcomeOfItem)
  const done = items.filter((item) => !isOpen(item)).length
  const counts = ORDER.map((outcome) => [outcome, outcomes.filter((each) => each === outcome).length] as const)
  const found = counts.filter(([, count]) => count > 0)
  return (
    <section className="card px-4 py-3" aria-label="All documents">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="font-medium tabular-nums">
          {done < items.length
            ? `${done} of ${items.length} documents done`
            : `${items.length} documents: ${found.map(([outcome, count]) => `${count} ${nounOf(outcome, count)}`).join(', ')}`}
        </p>
        <button type="button" className="btn btn-bare h-8 px-2.5" disabled={done === 0} onClick={onClear}>
          Clear finished
        </button>
      </div>
      {done < items.length && (
        <Bar label="Progress of all documents" percent={Math.round((done / items.length) * 100)} />
      )}
      {found.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
        <div role="group" aria-label="Show" className="mt-2 flex flex-wrap gap-2">
          <Choice isPressed={shown === null} onClick={() => onShow(null)}>
            {`All ${items.length}`}
          </Choice>
          {found.map(([outcome, count]) => (
            <Choice key={outcome} isPressed={shown === outcome} onClick={() => onShow(outcome)}>
              {`${count} ${nounOf(outcome, count)}`}
            </Choice>
          ))}
        </div>
      )}
    </section>
  )
}

interface ChoiceProps {
  isPressed: boolean
  onClick: () => void
  children: string
}

function Choice({ isPressed, onClick, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      className={`min-h-8 rounded-full border px-3 text-sm tabular-nums ${isPressed ? 'border-accent bg-accent-soft text-accent' : 'border-field text-fg-2 hover:bg-sunken'}`}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
