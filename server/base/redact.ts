/** Removes secrets from a finished log line. */

/** API keys anywhere in the line, for example in a path. The prefix stays, because it identifies the key. */
const API_KEY = /dv_(?:live|test)_[0-9A-Za-z]{5,}/g
/** Secrets and private keys of callbacks. */
const CALLBACK_SECRET = /(whs(?:ec|k)_)[0-9A-Za-z+/=]{5,}/g
/** Recovery codes, which people may put into an address. */
const RECOVERY_CODE = /\b[0-9a-z]{5}(?:-[0-9a-z]{5}){3}\b/gi
/** Passwords in connection strings, which drivers quote in their errors. */
const URL_PASSWORD = /([a-z][a-z0-9+.-]{1,20}:\/\/[^:/@\s"]{0,100}:)[^@\s"]{1,400}@/g
const SECRET_NAME = /"(?:authorization|x-api-key|cookie|set-cookie|password|apiKey|token)":"/i
const SECRET_FIELD = /("(?:authorization|x-api-key|cookie|set-cookie|password|apiKey|token)":)"(?:[^"\\]|\\.)*"/gi

export function redactSecrets(line: string): string {
  // The searches are cheap, and few lines contain any of these.
  let safe = SECRET_NAME.test(line) ? line.replace(SECRET_FIELD, '$1"[redacted]"') : line
  if (safe.includes('dv_')) safe = safe.replace(API_KEY, (key) => `${key.slice(0, 12)}…`)
  if (safe.includes('whs')) safe = safe.replace(CALLBACK_SECRET, '$1…')
  if (safe.includes('://')) safe = safe.replace(URL_PASSWORD, '$1[redacted]@')
  return safe.replace(RECOVERY_CODE, '[redacted]')
}
