/** Takes documents by drop, by the file dialog and from the clipboard. */

import { useEffect, useState } from 'react'
import { FileUp } from '../components/icons.tsx'

type OnFiles = (files: Iterable<File>) => void

const ZONE =
  'group flex grow flex-col items-center justify-center rounded-md border border-dashed px-6 py-8 text-center transition-colors has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent'

/** Files that are pasted anywhere on the page. */
function usePastedFiles(onFiles: OnFiles): void {
  useEffect(() => {
    function onPaste({ clipboardData }: ClipboardEvent): void {
      if (clipboardData && clipboardData.files.length > 0) onFiles(clipboardData.files)
    }
    addEventListener('paste', onPaste)
    return () => removeEventListener('paste', onPaste)
  }, [onFiles])
}

/** Files that are dropped anywhere: beside the zone, the browser would open them in place of the dashboard. */
function useDroppedFiles(onFiles: OnFiles): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    function onDragOver(event: DragEvent): void {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    function onDragLeave({ relatedTarget }: DragEvent): void {
      if (relatedTarget === null) setOver(false)
    }
    function onDrop(event: DragEvent): void {
      setOver(false)
      if (!event.dataTransfer || event.dataTransfer.files.length === 0) return
      event.preventDefault()
      onFiles(event.dataTransfer.files)
    }
    const leaving = new AbortController()
    addEventListener('dragover', onDragOver, leaving)
    addEventListener('dragleave', onDragLeave, leaving)
    addEventListener('drop', onDrop, leaving)
    return () => leaving.abort()
  }, [onFiles])
  return isOver
}

export function DropZone({ onFiles }: { onFiles: OnFiles }) {
  const isOver = useDroppedFiles(onFiles)
  usePastedFiles(onFiles)
  return (
    <label
      data-drop
      className={`${ZONE} ${isOver ? 'border-accent bg-accent-soft' : 'border-field hover:border-accent hover:bg-sunken'}`}
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
        <span className="whitespace-nowrap text-accent underline decoration-from-font underline-offset-[3px]">
          choose files
        </span>
      </span>
      <span className="mt-1.5 text-sm text-fg-2">PDF, Office, text and ZIP, up to 25 MB each.</span>
      <span className="text-sm text-fg-2">Scanned in memory, never stored.</span>
    </label>
  )
}
