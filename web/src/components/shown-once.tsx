import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

interface ShownOnceProps {
  /** What it is, in a word: "key". */
  noun: string
  value: string
  /** What to do if it is lost. */
  remedy: string
  onClose: () => void
}

/** The only moment at which a secret can be seen. */
export function ShownOnce({ noun, value, remedy, onClose }: ShownOnceProps) {
  return (
    <Dialog
      isSticky
      title={`Copy your ${noun} now`}
      lead={`For your security it is shown only once. ${remedy}`}
      onClose={onClose}
    >
      <div className="mt-5 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-xs leading-5 break-all">{value}</code>
        <CopyButton value={value} label={`Copy ${noun}`} className="btn-icon" />
      </div>
      <div className="mt-6 flex justify-end">
        <button type="button" className="btn btn-primary" onClick={onClose}>
          I have saved it
        </button>
      </div>
    </Dialog>
  )
}
