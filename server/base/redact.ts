/** Takes secrets out of a finished log line, whichever way they got into it. */

/**
 * Keys are recognised by their shape, so that one pasted into a path or an error message is caught too.
 * The prefix stays: it is what the dashboard shows, and what support asks for.
 */
const API_KEY = /dv_live_[0-9A-Za-z]{5,}/g
/** `scheme://user:password@host` of a connection string, as drivers like to repeat it in their errors. */
const URL_PASSWORD = /([a-z][a-z0-9+.-]{1,20}:\/\/[^:/@\s"]{0,100}:)[^@\s"]{1,400}@/g
const SECRET_FIELD = /("(?:authorization|x-api-key|cookie|set-cookie|password|apiKey|token)":)"(?:[^"\\]|\\.)*"/gi

export function redactSecrets(line: string): string {
  let safe = line.replace(SECRET_FIELD, '$1"[redacted]"')
  // Nearly every line has neither; looking for the plain text first is what makes this cheap.
  if (safe.includes('dv_live_')) safe = safe.replace(API_KEY, (key) => `${key.slice(0, 12)}…`)
  if (safe.includes('://')) safe = safe.replace(URL_PASSWORD, '$1[redacted]@')
  return safe
}
