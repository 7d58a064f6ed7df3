/** Puts an infected document on the allow list of the account. */
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { allowedQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { Card } from '../../components/card.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'

const NOTE_LENGTH_MAX = 500

export function AllowCard({ sha256 }: { sha256: string }) {
  const { run, isPending, problem, result } = useAction(async (note: string) => {
    const allowed = await call('PUT /api/v1/allowed/{sha256}', { path: { sha256 }, body: { note } })
    refresh(allowedQuery)
    return allowed
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'note'))
  }

  return (
    <Card title="Is this a false alarm?">
      <div className="px-5 pt-1 pb-5 text-sm">
        {result ? (
          <p role="status">
            Exactly this document is now on your{' '}
            <Link href="/allowed" className="link">
              allow list
            </Link>
            . Scan it again to get a new verdict. Test files, bombs and other engines are still reported.
          </p>
        ) : (
          <form onSubmit={submit} className="grid gap-3">
            <p className="text-fg-2">
              If you trust exactly this document, allow it. Later scans of it are clean, and keep the findings as
              notices.
            </p>
            {problem && <ProblemBox problem={problem} what="The document was not allowed." />}
            <TextField
              label="Note"
              name="note"
              maxLength={NOTE_LENGTH_MAX}
              autoComplete="off"
              hint="Why you trust it."
            />
            <div>
              <button type="submit" className="btn btn-ghost" disabled={isPending}>
                {isPending ? 'Allowing…' : 'Allow this document'}
              </button>
            </div>
          </form>
        )}
      </div>
    </Card>
  )
}
