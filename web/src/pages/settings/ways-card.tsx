/** The providers with which the owner signs in: add one, remove one. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { identitiesQuery, passkeysQuery, sessionsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { SignInIdentity } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { ConfirmOwner } from '../../components/confirm-owner.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { KeyRound } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { SignInAlert } from '../../components/sign-in-alert.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { textOf } from '../../form-values.ts'
import { ago, date } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { useProvider } from '../../hooks/use-provider.ts'
import { useSettings } from '../../settings.ts'

type Asked = { kind: 'add'; provider: string; name: string } | { kind: 'remove'; identity: SignInIdentity }

export function WaysCard() {
  const ways = useQuery(identitiesQuery)
  const { data: passkeys } = useQuery(passkeysQuery)
  const providers = useSettings()?.providers ?? []
  const [asked, setAsked] = useState<Asked | null>(null)
  const items = ways.data?.items ?? []
  if (providers.length === 0 && items.length === 0) return null
  const isLast = items.length === 1 && ways.data?.hasPassword === false && passkeys?.items.length === 0
  return (
    <Card title="Ways to sign in" lead="Sign in with an account that you have elsewhere.">
      <div className="px-5 pt-3 pb-5">
        <SignInAlert />
        {ways.isPending && <Skeleton className="h-12" />}
        {ways.isError && (
          <ProblemBox
            problem={toProblem(ways.error)}
            what="The ways to sign in could not be loaded."
            retry={() => ways.refetch()}
          />
        )}
        <ul className="divide-y divide-line">
          {items.map((identity) => (
            <li key={identity.id} className="flex min-h-14 items-center gap-3 py-2 text-sm">
              <KeyRound size={18} className="shrink-0 text-fg-3" aria-hidden />
              <div className="min-w-0 grow">
                <p className="font-medium">{identity.name}</p>
                <p className="text-xs text-fg-2">
                  Added {date(identity.createdAt)}, last used {ago(identity.lastUsedAt)}
                </p>
              </div>
              {isLast ? (
                <span className="pill shrink-0 bg-accent-soft text-accent">Only way</span>
              ) : (
                <button
                  type="button"
                  className="btn btn-ghost h-8 shrink-0"
                  onClick={() => setAsked({ kind: 'remove', identity })}
                >
                  Remove<span className="sr-only"> {identity.name}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
        <div className="mt-3 flex flex-wrap gap-2">
          {providers.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className="btn btn-ghost"
              onClick={() => setAsked({ kind: 'add', provider: id, name })}
            >
              Add {name}
            </button>
          ))}
        </div>
      </div>
      {asked && <WayDialog asked={asked} onClose={() => setAsked(null)} />}
    </Card>
  )
}

function WayDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const link = useProvider('link')
  const remove = useAction(async ({ id, password }: { id: string; password: string }) => {
    await call('DELETE /api/v1/auth/identities/{identityId}', {
      path: { identityId: id },
      body: { ...(password !== '' && { password }) },
    })
    await refresh(identitiesQuery, sessionsQuery)
    onClose()
  })
  const { isPending, problem } = asked.kind === 'add' ? link : remove
  const name = asked.kind === 'add' ? asked.name : asked.identity.name

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = textOf(event.currentTarget, 'password')
    if (asked.kind === 'remove') remove.run({ id: asked.identity.id, password })
    else link.run({ provider: asked.provider, returnTo: '/settings', ...(password !== '' && { password }) })
  }

  return (
    <Dialog
      title={asked.kind === 'add' ? `Add ${name}?` : `Remove ${name}?`}
      lead={
        asked.kind === 'add'
          ? `You sign in at ${name} next. Anybody who can sign in there as you can then sign in here.`
          : `${name} no longer signs in to this account, and all other sessions end.`
      }
      onClose={onClose}
    >
      <form onSubmit={submit} className="mt-5 grid gap-4">
        <ConfirmOwner problem={problem} />
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={`btn ${asked.kind === 'add' ? 'btn-primary' : 'btn-danger'}`}
            disabled={isPending}
          >
            {asked.kind === 'add' ? `Continue to ${name}` : `Remove ${name}`}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
