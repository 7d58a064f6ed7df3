/** Requests that a page of somebody else makes in the name of our user. */
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#base/errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Where a request comes from: browsers say so in headers that no page can set. */
function siteOf(headers: IncomingHttpHeaders, publicUrl: string): 'own' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  if (headers.origin !== undefined) return headers.origin === publicUrl ? 'own' : 'foreign'
  return 'unknown'
}

/**
 * Refuses what would change something from elsewhere. Under a cookie, which browsers send by themselves, it must be
 * shown to come from our own pages; without one it is enough that it does not come from others.
 */
export function refuseCrossSite(
  { method = 'GET', headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  publicUrl: string,
  underCookie: boolean,
): void {
  if (SAFE.has(method)) return
  const site = siteOf(headers, publicUrl)
  if (site === 'own' || (site === 'unknown' && !underCookie)) return
  throw new AppError(
    'cross_site',
    underCookie
      ? `With a session, this is accepted only from ${publicUrl} itself: send "Origin: ${publicUrl}", or use an API key.`
      : `A page of another site asked for this. It is accepted only from ${publicUrl} itself, or from no page at all.`,
  )
}
