/** Whether this browser is signed in, and the way to the sign-in page and back. */
import { navigate } from 'wouter/use-browser-location'
import { pagePath } from './go-to.ts'

/** The cookie itself is invisible to scripts. This only saves a request that would end in 401. */
const HINT = 'docvet.signed-in'

export function rememberSignIn(): void {
  try {
    localStorage.setItem(HINT, '1')
  } catch {
    // Without storage, pages ask the server.
  }
}

export function forgetSignIn(): void {
  try {
    localStorage.removeItem(HINT)
  } catch {
    // See above.
  }
}

/** False only if it is certain that nobody signed in here. */
export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(HINT) !== null
  } catch {
    return true
  }
}

/** A provider of sign-in leads back with this fragment. */
export function noteSignIn(): void {
  if (location.hash !== '#signed-in') return
  rememberSignIn()
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Where to continue after signing in. */
export function nextPath(search: string): string {
  return pagePath(new URLSearchParams(search).get('next') ?? '/')
}

/** `path` with the page to return to. */
export function withNext(path: string, next: string): string {
  return next === '/' ? path : `${path}?${new URLSearchParams({ next })}`
}

let staysFor: (() => boolean) | null = null

/** While `isNeeded`, an ended session does not lead away from the page, which asks for the password itself. */
export function stayWhile(isNeeded: () => boolean): void {
  staysFor = isNeeded
}

export function leaveForSignIn(): void {
  if (staysFor?.()) return
  const { pathname, search, hash } = location
  if (pathname === '/sign-in') return
  const wasSignedIn = mayBeSignedIn()
  forgetSignIn()
  const query = new URLSearchParams({ next: pathname + search + hash, ...(wasSignedIn && { ended: '1' }) })
  navigate(`/sign-in?${query}`, { replace: true })
}
