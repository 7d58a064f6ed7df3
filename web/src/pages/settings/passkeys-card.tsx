/** The passkeys of the account: add one, remove one, and let nothing else sign in. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { passkeysQuery } from '../../api/queries.ts'
import type { PasskeyView } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Fingerprint } from '../../components/fingerprint.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ago, date } from '../../format.ts'
import { hasPasskeys } from '../../passkeys.ts'
import { useSettings } from '../../settings.ts'
import { PasskeyDialog, type PasskeyTask } from './passkey-dialog.tsx'

export function PasskeysCard() {
  const passkeys = useQuery(passkeysQuery)
  const isOffered = useSettings()?.passkeys === true && hasPasskeys()
  const [task, setTask] = useState<PasskeyTask | null>(null)
  const items = passkeys.data?.items ?? []
  const isOnly = passkeys.data?.only === true
  if (!isOffered && items.length === 0) return null
  return (
    <Card
      title="Passkeys"
      lead="Sign in with the lock of your device, such as a fingerprint or a PIN. Nobody can guess or steal a passkey by a false page."
    >
      <div className="px-5 pt-3 pb-5">
        {passkeys.isPending && <Skeleton className="h-12" />}
        {passkeys.isError && (
          <ProblemBox
            problem={toProblem(passkeys.error)}
            what="The passkeys could not be loaded."
            retry={() => passkeys.refetch()}
          />
        )}
        <ul className="divide-y divide-line">
          {items.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isLast={isOnly && items.length === 1}
              onRename={() => setTask({ kind: 'rename', passkey })}
              onRemove={() => setTask({ kind: 'remove', passkey })}
            />
          ))}
        </ul>
        {isOnly && (
          <p className="mt-3 text-sm">
            Only passkeys sign in to this account. {passkeys.data?.recoveryCodesLeft} of 10 recovery codes are left.
          </p>
        )}
        <div className="mt-3 flex flex-wrap gap-2">
          {isOffered && (
            <button type="button" className="btn btn-ghost" onClick={() => setTask({ kind: 'add' })}>
              Add a passkey
            </button>
          )}
          {items.length > 0 && (
            <button type="button" className="btn btn-ghost" onClick={() => setTask({ kind: 'only' })}>
              {isOnly ? 'New recovery codes' : 'Let only passkeys sign in'}
            </button>
          )}
          {isOnly && (
            <button type="button" className="btn btn-ghost" onClick={() => setTask({ kind: 'any' })}>
              Allow other ways again
            </button>
          )}
        </div>
      </div>
      {task && <PasskeyDialog task={task} onClose={() => setTask(null)} />}
    </Card>
  )
}

interface PasskeyRowProps {
  passkey: PasskeyView
  isLast: boolean
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey, isLast, onRename, onRemove }: PasskeyRowProps) {
  const { name, createdAt, lastUsedAt, isBackedUp } = passkey
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-3 py-2 text-sm">
      <Fingerprint size={18} className="shrink-0 text-fg-3" aria-hidden />
      <div className="min-w-0 grow basis-40">
        <p className="font-medium break-words">{name}</p>
        <p className="text-xs text-fg-2">
          Added {date(createdAt)}, {lastUsedAt === null ? 'never used' : `last used ${ago(lastUsedAt)}`}
          {isBackedUp && ', copied to your other devices'}
        </p>
      </div>
      <button type="button" className="btn btn-ghost h-8 shrink-0" onClick={onRename}>
        Rename<span className="sr-only"> {name}</span>
      </button>
      {isLast ? (
        <span className="pill shrink-0 bg-accent-soft text-accent">Only way</span>
      ) : (
        <button type="button" className="btn btn-ghost h-8 shrink-0" onClick={onRemove}>
          Remove<span className="sr-only"> {name}</span>
        </button>
      )}
    </li>
  )
}
