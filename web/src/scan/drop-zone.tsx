/** Takes documents by drop, by the file dialog and from the clipboard. */
import { FileUp } from 'lucide-react'
import { type DragEvent, useEffect, useState } from 'react'

interface DropZoneProps {
  onFiles: (files: Iterable<File>) => void
  className?: string
}

const ZONE =
  'group flex grow flex-col items-center justify-center rounded-md border border-dashed px-6 py-8 text-center transition-colors has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent'

/** Files that are pasted anywhere on the page. */
function usePastedFiles(onFiles: DropZoneProps['onFiles']): void {
  useEffect(() => {
    function onPaste({ clipboardData }: ClipboardEvent): void {
      if (clipboardData && clipboardData.files.length > 0) onFiles(clipboardData.files)
    }
    addEventListener('paste', onPaste)
    return () => removeEventListener('paste', onPaste)
  }, [onFiles])
}

export function DropZone({ onFiles, className = '' }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  usePastedFiles(onFiles)

  function onDrop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer.files)
  }

  return (
    <label
      data-drop
      className={`${ZONE} ${isOver ? 'border-accent bg-accent-soft' : 'border-field hover:border-accent hover:bg-sunken'} ${className}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <input
        type="file"
        multiple
        className="sr-only"
        onChange={({ target }) => {
          onFiles(target.files ?? [])
          // So that the same file can be chosen again.
          target.value = ''
        }}
      />
      <span className="grid size-11 place-items-center rounded-lg border border-line bg-surface text-fg-2 group-hover:text-accent">
        <FileUp size={20} aria-hidden />
      </span>
      <span className="mt-4 text-lg font-medium">
        Drop documents here, or{' '}
        <span className="text-accent underline decoration-from-font underline-offset-[3px]">choose files</span>
      </span>
      <span className="mt-1.5 max-w-sm text-sm text-balance text-fg-2">
        PDF, Office, text and ZIP, up to 25 MB each. Scanned in memory, never stored.
      </span>
    </label>
  )
}
