/** Rejects cross-site requests, DNS rebinding and proxied requests. */
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#base/errors.ts'
import { isLoopbackHost } from '#base/loopback.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const nameIn = (host: string | undefined): string => URL.parse(`http://${host}`)?.hostname ?? ''

/** Loopback names count as own, because no other site can have them. */
function isOwnPage({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  return origin === publicUrl || (origin === `http://${host}` && isLoopbackHost(nameIn(host)))
}

/** Judged by headers that browsers set and pages cannot; all of them must agree. */
function siteOf(headers: IncomingHttpHeaders, publicUrl: string): 'own' | 'foreign' | 'unknown' {
  const { origin, 'sec-fetch-site': site } = headers
  if (site === undefined) {
    if (origin === undefined) return 'unknown'
    return origin === publicUrl ? 'own' : 'foreign'
  }
  // After DNS rebinding the origin is the same, but it is not the public URL.
  return site === 'same-origin' && (origin === undefined || isOwnPage(headers, publicUrl)) ? 'own' : 'foreign'
}

/**
 * Rejects unsafe methods from other sites. With a cookie, which browsers send automatically, the request must provably
 * come from this service's pages; without one, an unknown origin is accepted.
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
      ? `With a session, this request is accepted only from ${publicUrl}. Send \`Origin: ${publicUrl}\`, or use an API key.`
      : `A page of another site made this request. Browsers may make it only from ${publicUrl}.`,
  )
}

const isForwarding = (name: string): boolean =>
  name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-')

/** A proxy may replace the `Host` that the client sent, which defeats the check below. */
export function refuseForwarded(headers: IncomingHttpHeaders): void {
  if (!Object.keys(headers).some(isForwarding)) return
  throw new AppError('cross_site', 'This page is not available through a proxy.')
}

/** Protects pages without a credential from DNS rebinding. */
export function refuseForeignHost({ host }: IncomingHttpHeaders, publicUrl: string): void {
  const name = nameIn(host)
  if (name === new URL(publicUrl).hostname || isLoopbackHost(name)) return
  throw new AppError('cross_site', `This page is available only at ${publicUrl}.`)
}
