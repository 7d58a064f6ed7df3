/** Puts an infected document on the allow list of the account, after a question. */
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { allowedQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { Card } from '../../components/card.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'

const NOTE_LENGTH_MAX = 500

export function AllowCard({ sha256 }: { sha256: string }) {
  const [isAsking, setAsking] = useState(false)
  const [isAllowed, setAllowed] = useState(false)
  return (
    <Card title="Is this a false alarm?">
      <div className="px-5 pt-1 pb-5 text-sm">
        {isAllowed ? (
          <p role="status">
            Exactly this document is now on your{' '}
            <Link href="/allowed" className="link">
              allow list
            </Link>
            . Scan it again to get a new verdict. Test files, bombs and other engines are still reported.
          </p>
        ) : (
          <>
            <p className="text-fg-2">
              Only if you know who made this document and why it contains this. If in doubt, ask your IT department.
            </p>
            <button type="button" className="btn btn-ghost mt-3" onClick={() => setAsking(true)}>
              Allow this document…
            </button>
          </>
        )}
      </div>
      {isAsking && (
        <AllowDialog
          sha256={sha256}
          onClose={() => setAsking(false)}
          onAllowed={() => {
            setAsking(false)
            setAllowed(true)
          }}
        />
      )}
    </Card>
  )
}

interface AllowDialogProps {
  sha256: string
  onClose: () => void
  onAllowed: () => void
}

function AllowDialog({ sha256, onClose, onAllowed }: AllowDialogProps) {
  const { run, isPending, problem } = useAction(async (note: string) => {
    await call('PUT /api/v1/allowed/{sha256}', { path: { sha256 }, body: { note } })
    refresh(allowedQuery)
    onAllowed()
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'note'))
  }

  return (
    <Dialog
      isAlert
      title="Allow a document with malware?"
      lead="From now on, everybody who scans exactly this document with your account or its keys is told that it is clean. Nobody is warned again."
      onClose={onClose}
    >
      <form onSubmit={submit} className="mt-4 grid gap-4">
        {problem && <ProblemBox problem={problem} what="The document was not allowed." />}
        <TextField
          label="Why do you trust it?"
          name="note"
          maxLength={NOTE_LENGTH_MAX}
          autoComplete="off"
          hint="Shown in the allow list, with your name and the date."
        />
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
            Keep it blocked
          </button>
          <button type="submit" className="btn btn-danger" disabled={isPending}>
            {isPending ? 'Allowing…' : 'Allow it'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
