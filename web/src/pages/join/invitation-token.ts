/** The token of the mailed link. It is taken out of the URL at once, so that it is in no history and no request. */

const KEPT = 'docvet.invitation'

/** For the way through the sign-in page and back, in this tab only. */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  try {
    if (given !== null) sessionStorage.setItem(KEPT, given)
    return given ?? sessionStorage.getItem(KEPT) ?? ''
  } catch {
    // Without storage, the link of the mail must be opened again after signing in.
    return given ?? ''
  } finally {
    if (given !== null) history.replaceState(history.state, '', location.pathname)
  }
}

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(KEPT)
  } catch {
    // See above.
  }
}
