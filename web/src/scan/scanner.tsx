/** The drop zone and the documents that were dropped on it. */
import { useState } from 'react'
import type { Outcome } from '../verdict/outcome.ts'
import { DropZone } from './drop-zone.tsx'
import { eicarFile } from './eicar.ts'
import { QuotaHelp } from './quota-help.tsx'
import { isUsedUp } from './reason.ts'
import { isOpen, outcomeOfItem, type ScanItem } from './scan-item.ts'
import { addFiles, clearFinished, removeItem, retryItem, useScanQueue } from './scan-queue.ts'
import { ScanRow } from './scan-row.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { SummaryBar } from './summary-bar.tsx'

const URGENCY: Readonly<Record<Outcome, number>> = { infected: 0, none: 1, open: 2, test: 3, clean: 4 }

/** In the order in which they were dropped; when all are done, those that need attention first. */
function sorted(items: readonly ScanItem[]): readonly ScanItem[] {
  if (items.some(isOpen)) return items
  const urgency = (item: ScanItem): number => URGENCY[outcomeOfItem(item) ?? 'clean']
  return items.toSorted((a, b) => urgency(a) - urgency(b))
}

export function Scanner() {
  const { items, isSignedOut } = useScanQueue()
  const [chosen, setShown] = useState<Outcome | null>(null)
  const shown = items.some((item) => outcomeOfItem(item) === chosen) ? chosen : null
  const visible = sorted(items).filter((item) => shown === null || outcomeOfItem(item) === shown)
  const usedUp = items.flatMap(({ progress }) => (progress.phase === 'refused' ? progress.problem : [])).find(isUsedUp)
  return (
    <div className="flex h-full flex-col gap-3">
      {isSignedOut && <SignInAgain />}
      <section className="card flex min-h-[264px] grow flex-col p-2" aria-label="Scan documents">
        <DropZone onFiles={addFiles} />
        <p className="px-3 pt-2 pb-1 text-sm text-fg-2">
          No malware at hand?{' '}
          <button type="button" className="link min-h-6" onClick={() => addFiles([eicarFile()])}>
            Try the EICAR test file
          </button>
          , which is harmless.
        </p>
      </section>
      {usedUp && <QuotaHelp retryAfterS={usedUp.retryAfterS} />}
      {items.length > 1 && <SummaryBar items={items} shown={shown} onShow={setShown} onClear={clearFinished} />}
      {items.length > 0 && (
        <ul className="grid grid-cols-1 gap-2" aria-label="Scanned documents">
          {visible.map((item) => (
            <ScanRow
              key={item.id}
              item={item}
              isAlone={items.length === 1}
              onRemove={() => removeItem(item.id)}
              onRetry={(password) => retryItem(item.id, password)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
