/** Where the browser continues after a sign-in: a page of this service, never another site. */

/** With the rest of the transaction it must fit into a cookie of 4,096 bytes. */
export const RETURN_TO_LENGTH_MAX = 2_000
const HOME = '/'

/** A leading double slash, also with a backslash, names a host. */
const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)

export function safeReturn(given: string | undefined, publicUrl: string): string {
  if (given === undefined || given.length > RETURN_TO_LENGTH_MAX || !isPath(given)) return HOME
  const url = URL.parse(given, publicUrl)
  if (url?.origin !== new URL(publicUrl).origin) return HOME
  // Resolving can make another host of it: `/.//host` becomes `//host`.
  if (!isPath(url.pathname) || url.pathname.startsWith('/api/')) return HOME
  const path = url.pathname + url.search
  return path.length > RETURN_TO_LENGTH_MAX ? HOME : path
}
