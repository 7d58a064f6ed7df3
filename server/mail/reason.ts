/** The reason why a mail failed, safe to store and log. */
import { messageOf } from '#base/message-of.ts'

export const REASON_LENGTH_MAX = 200

const LINK = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi
const ADDRESS = /[^\s<>@]+@[^\s<>@]+/g

/** Mail servers quote the mail in their errors, so links with tokens and addresses of people are removed. */
export function reasonOf(error: unknown): string {
  const safe = messageOf(error)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(LINK, '[link]')
    .replaceAll(ADDRESS, '[address]')
  return safe.length > REASON_LENGTH_MAX ? `${safe.slice(0, REASON_LENGTH_MAX - 1)}…` : safe
}
