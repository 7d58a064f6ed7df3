/** A modal dialog: the browser's own, which traps the focus, closes with Escape and returns the focus. */
import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  title: string
  lead?: ReactNode
  /** An alert asks for a decision about something that cannot be undone. */
  isAlert?: boolean
  /** Escape does not close it at once, because something would be lost. */
  isSticky?: boolean
  onClose: () => void
  children: ReactNode
}

/** Open while it is rendered. The first element with `autoFocus` gets the focus. */
export function Dialog({ title, lead, isAlert = false, isSticky = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    const dialog = ref.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      dialog?.close()
      // The opener may be gone, such as the button that revoked a key.
      const next = opener?.isConnected ? opener : document.querySelector('main')
      if (next instanceof HTMLElement) next.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={lead ? `${id}-lead` : undefined}
      className="anim-pop m-auto w-[calc(100vw-2rem)] max-w-[480px] rounded-xl border border-line bg-raised p-6 shadow-pop"
      onCancel={(event) => {
        event.preventDefault()
        if (!isSticky) onClose()
      }}
      onClose={onClose}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        {title}
      </h2>
      {lead && (
        <p id={`${id}-lead`} className="mt-1 text-sm text-pretty text-fg-2">
          {lead}
        </p>
      )}
      {children}
    </dialog>
  )
}
