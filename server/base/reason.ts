/** Why something failed, for the database and the log. */
import { messageOf } from './message-of.ts'

export const REASON_LENGTH_MAX = 200

const LINK = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi
const ADDRESS = /(?<![^\s<>@])[^\s<>@]+@[^\s<>@]+/g

/** Other servers quote what they were sent in their errors, so links with secrets and addresses of people are removed. */
export function reasonOf(error: unknown): string {
  const safe = messageOf(error)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(LINK, '[link]')
    .replaceAll(ADDRESS, '[address]')
  return safe.length > REASON_LENGTH_MAX ? `${safe.slice(0, REASON_LENGTH_MAX - 1)}…` : safe
}
