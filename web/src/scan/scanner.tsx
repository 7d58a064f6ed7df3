/** The drop zone and the documents that were dropped on it. */
import { useCallback } from 'react'
import { DropZone } from './drop-zone.tsx'
import { eicarFile } from './eicar.ts'
import { ScanRow } from './scan-row.tsx'
import { useScanQueue } from './use-scan-queue.ts'

export function Scanner() {
  const { items, add, remove, retry } = useScanQueue()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `add` only sets state
  const onFiles = useCallback((files: Iterable<File>) => add(files), [])
  return (
    <div className="flex h-full flex-col gap-3">
      <section className="card flex min-h-[264px] grow flex-col p-2" aria-label="Scan documents">
        <DropZone onFiles={onFiles} />
        <p className="px-3 pt-2 pb-1 text-sm text-fg-2">
          No malware at hand?{' '}
          <button type="button" className="link min-h-6" onClick={() => add([eicarFile()])}>
            Try the EICAR test file
          </button>
          , which is harmless.
        </p>
      </section>
      {items.length > 0 && (
        <ul className="grid grid-cols-1 gap-3" aria-label="Scanned documents">
          {items.map((item) => (
            <ScanRow
              key={item.id}
              item={item}
              onRemove={() => remove(item.id)}
              onRetry={(password) => retry(item.id, password)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
