import { goTo } from '../go-to.ts'
import { forgetQuery } from '../link-secret.ts'
import { nextPath, rememberSignIn } from '../session.ts'
import { useAction } from './use-action.ts'

/** Signs in or up, then continues at the page that asked for it. */
export function useAuth<Input>(request: (input: Input) => Promise<unknown>) {
  return useAction(async (input: Input) => {
    await request(input)
    rememberSignIn()
    const next = nextPath(location.search)
    forgetQuery()
    goTo(next)
    // Keeps the button busy until the next page is there.
    await new Promise(() => {})
  })
}
