import { signOut } from '../../api/sign-out.ts'
import { ProblemBox } from '../../components/problem-box.tsx'
import { useAction } from '../../hooks/use-action.ts'

/** Signs out, and returns to this purchase after signing in with another account. */
export function OtherAccount() {
  const { run, isPending, problem } = useAction(() => signOut(location.pathname + location.search))
  return (
    <div className="mt-6 grid gap-4">
      {problem && <ProblemBox problem={problem} what="You are still signed in." />}
      <button type="button" className="btn btn-primary btn-large" disabled={isPending} onClick={() => run(undefined)}>
        Use another account
      </button>
    </div>
  )
}
