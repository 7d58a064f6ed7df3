/** Requests that a page of somebody else makes in the name of our user, or under a name that is not ours. */
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#base/errors.ts'
import { isLoopbackHost } from '#base/loopback.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const nameIn = (host: string | undefined): string => URL.parse(`http://${host}`)?.hostname ?? ''

/** A page of ours. Whoever sits at this machine may call it by another of its names: no other site can have those. */
function isOwnPage({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  return origin === publicUrl || (origin === `http://${host}` && isLoopbackHost(nameIn(host)))
}

/** Where a request comes from: browsers say so in headers that no page can set. None of them may say otherwise. */
function siteOf(headers: IncomingHttpHeaders, publicUrl: string): 'own' | 'foreign' | 'unknown' {
  const { origin, 'sec-fetch-site': site } = headers
  if (site === undefined) {
    if (origin === undefined) return 'unknown'
    return origin === publicUrl ? 'own' : 'foreign'
  }
  // A name that was pointed at us after the page was loaded is the same origin, but it is not ours.
  return site === 'same-origin' && (origin === undefined || isOwnPage(headers, publicUrl)) ? 'own' : 'foreign'
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

const isForwarding = (name: string): boolean =>
  name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-')

/** For the same: a proxy may put our name in the place of the one that it was called by. */
export function refuseForwarded(headers: IncomingHttpHeaders): void {
  if (!Object.keys(headers).some(isForwarding)) return
  throw new AppError('cross_site', 'This is not there for requests that came through a proxy.')
}

/** For what needs no credential and is not for everybody: a site whose name leads to this machine could read it too. */
export function refuseForeignHost({ host }: IncomingHttpHeaders, publicUrl: string): void {
  const name = nameIn(host)
  if (name === new URL(publicUrl).hostname || isLoopbackHost(name)) return
  throw new AppError('cross_site', `This is there only under its own address: open it at ${publicUrl}.`)
}
