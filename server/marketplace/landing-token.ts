/** The token of the landing page: through redirects and forms it arrives encoded, half decoded, or as it was. Pure. */
import { invalidField } from '#base/errors.ts'

export const TOKEN_LENGTH_MAX = 4_096

/** It goes into a header: nothing but visible ASCII. */
const VISIBLE = /^[\x21-\x7e]+$/

/** Decoded exactly once. A space was a `+` that somebody decoded as a form: tokens have no spaces of their own. */
export function readLandingToken(given: string): string {
  // Not spaces: a token may begin with a plus sign.
  const trimmed = given.replace(/[\r\n\t]+$/, '')
  const decoded = trimmed.includes('%') ? decodeOnce(trimmed) : trimmed
  const token = decoded?.replaceAll(' ', '+')
  // Tokens are base64: a percent sign that is still there was encoded twice.
  if (token === undefined || token.includes('%') || !VISIBLE.test(token)) {
    throw invalidField('token', 'is not a token of the marketplace: take what stands behind "token=" in the address')
  }
  return token
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
