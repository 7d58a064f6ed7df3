/** One document: its progress, its verdict, or the reason why there is none. */
import { NotScanned } from './not-scanned.tsx'
import { isOpen, type ScanItem } from './scan-item.ts'
import { ScanProgress } from './scan-progress.tsx'
import { Verdict } from './verdict.tsx'

function announcement({ name, progress }: ScanItem): string {
  if (progress.phase === 'uploading') return `Uploading ${name}`
  if (progress.phase === 'scanning') return `Scanning ${name}`
  if (progress.phase === 'refused') return `${name} was not scanned. ${progress.problem.detail}`
  if (progress.phase !== 'done') return ''
  return progress.result.status === 'clean' ? `No malware found in ${name}` : `Malware found in ${name}`
}

interface ScanRowProps {
  item: ScanItem
  onRemove: () => void
  onRetry: (password?: string) => void
}

export function ScanRow({ item, onRemove, onRetry }: ScanRowProps) {
  const { name, progress } = item
  return (
    <li className="card p-2">
      {isOpen(item) && <ScanProgress item={item} onCancel={onRemove} />}
      {progress.phase === 'done' && <Verdict result={progress.result} onRemove={onRemove} />}
      {progress.phase === 'refused' && (
        <NotScanned fileName={name} problem={progress.problem} onRetry={onRetry} onRemove={onRemove} />
      )}
      <p role="status" className="sr-only">
        {announcement(item)}
      </p>
    </li>
  )
}
