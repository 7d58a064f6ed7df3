import { FileText, X } from 'lucide-react'
import { bytes } from '../format.ts'
import type { ScanItem } from './scan-item.ts'

interface ScanProgressProps {
  item: ScanItem
  onCancel: () => void
}

function stateOf({ file, progress }: ScanItem): string {
  if (progress.phase === 'uploading') return `Uploading ${bytes(progress.loadedBytes)} of ${bytes(file.size)}`
  if (progress.phase === 'scanning') return 'Scanning for malware…'
  return progress.phase === 'paused' ? 'Waiting for the rate limit of your plan' : 'Waiting'
}

/** A document that is waiting, being uploaded or being scanned. */
export function ScanProgress({ item, onCancel }: ScanProgressProps) {
  const { file, name, progress } = item
  return (
    <div className="px-3 py-3">
      <div className="flex items-center gap-3">
        <FileText size={20} className="shrink-0 text-fg-2" aria-hidden />
        <div className="min-w-0 grow">
          <p className="truncate font-medium">{name}</p>
          <p className="text-sm text-fg-2 tabular-nums">{stateOf(item)}</p>
        </div>
        <button type="button" className="btn btn-ghost h-8" onClick={onCancel}>
          <X size={14} aria-hidden />
          Cancel<span className="sr-only"> {name}</span>
        </button>
      </div>
      <Bar label={`Progress of ${name}`} percent={percentOf(file.size, progress)} />
    </div>
  )
}

/** Null while nothing is known but that it goes on. */
function percentOf(size: number, progress: ScanItem['progress']): number | null {
  if (progress.phase === 'waiting' || progress.phase === 'paused') return 0
  return progress.phase === 'uploading' ? Math.round((progress.loadedBytes / size) * 100) : null
}

function Bar({ label, percent }: { label: string; percent: number | null }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="mt-3 h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      {percent === null ? (
        <div className="bar anim-scan h-full w-1/3 rounded-full bg-accent" />
      ) : (
        <div className="bar h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
      )}
    </div>
  )
}
