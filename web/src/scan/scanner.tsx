/** The drop zone and the documents that were dropped on it. */
import { DropZone } from './drop-zone.tsx'
import { eicarFile } from './eicar.ts'
import { addFiles, removeItem, retryItem, useScanQueue } from './scan-queue.ts'
import { ScanRow } from './scan-row.tsx'

export function Scanner() {
  const items = useScanQueue()
  return (
    <div className="flex h-full flex-col gap-3">
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
      {items.length > 0 && (
        <ul className="grid grid-cols-1 gap-3" aria-label="Scanned documents">
          {items.map((item) => (
            <ScanRow
              key={item.id}
              item={item}
              onRemove={() => removeItem(item.id)}
              onRetry={(password) => retryItem(item.id, password)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
