import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'

/** The only moment at which a key can be seen. */
export function NewKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Dialog
      isSticky
      title="Copy your key now"
      lead="For your security it is shown only once. If you lose it, create a new one."
      onClose={onClose}
    >
      <div className="mt-5 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-xs leading-5 break-all">{apiKey}</code>
        <CopyButton value={apiKey} label="Copy key" className="btn-icon" />
      </div>
      <div className="mt-6 flex justify-end">
        <button type="button" className="btn btn-primary" onClick={onClose}>
          I have saved it
        </button>
      </div>
    </Dialog>
  )
}
