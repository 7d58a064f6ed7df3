import { goTo } from '../go-to.ts'
import { forgetSignIn, withNext } from '../session.ts'
import { keepTheme } from '../theme.ts'
import { call } from './client.ts'
import { isSignedOut } from './problem.ts'

/** Ends the session. Another account may continue at the page `next`. */
export async function signOut(next = '/'): Promise<void> {
  await call('POST /api/v1/auth/logout').catch((error) => {
    // Nothing is left to end.
    if (!isSignedOut(error)) throw error
  })
  forgetSignIn()
  keepTheme()
  goTo(withNext('/sign-in', next))
}
