/** Sign-in with the providers of this installation, if it has any. */
import { useProvider } from '../hooks/use-provider.ts'
import { useSettings } from '../settings.ts'
import { FormProblem } from './form-problem.tsx'

interface ProviderButtonsProps {
  /** The page to continue with. */
  next: string
  inviteCode?: () => string
}

export function ProviderButtons({ next, inviteCode }: ProviderButtonsProps) {
  const settings = useSettings()
  const { run, isPending, problem } = useProvider('sign-in')
  if (settings === null || settings.providers.length === 0) return null

  function start(provider: string) {
    const code = inviteCode?.().trim() ?? ''
    run({ provider, returnTo: next, ...(code !== '' && { inviteCode: code }) })
  }

  return (
    <div className="grid gap-3">
      {settings.passwords && (
        <p className="my-2 flex items-center gap-3 text-sm text-fg-2 before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
          or
        </p>
      )}
      {problem && <FormProblem problem={problem} />}
      {settings.providers.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="btn btn-ghost btn-large"
          disabled={isPending}
          onClick={() => start(id)}
        >
          Continue with {name}
        </button>
      ))}
    </div>
  )
}
