/** The reason why a mail failed, safe to store and log. */
import { messageOf } from '#base/message-of.ts'

export const REASON_LENGTH_MAX = 200

const LINK = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi
const ADDRESS = /[^\s<>@]+@[^\s<>@]+/g

/**
 * The words of a mail server, which likes to repeat what it does not like: the link with the token of a reset, and the
 * address of a person. Neither is ours to tell.
 */
export function reasonOf(error: unknown): string {
  const message = messageOf(error)
  const safe = message
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(LINK, '[link]')
    .replaceAll(ADDRESS, '[address]')
  return safe.length > REASON_LENGTH_MAX ? `${safe.slice(0, REASON_LENGTH_MAX - 1)}…` : safe
}
