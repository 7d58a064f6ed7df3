/** The token of the mailed link. */
import { takeSecret } from '../../link-secret.ts'

const KEPT = 'docvet.invitation'

/** For the way through the sign-in page and back, in this tab only. */
export function takeToken(): string {
  const given = takeSecret('token')
  try {
    if (given !== '') sessionStorage.setItem(KEPT, given)
    return given || (sessionStorage.getItem(KEPT) ?? '')
  } catch {
    // Without storage, the link of the mail must be opened again after signing in.
    return given
  }
}

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(KEPT)
  } catch {
    // See above.
  }
}
