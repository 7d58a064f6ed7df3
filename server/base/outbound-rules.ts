/** Which URLs the service calls: public addresses over https, and what the operator has named. */
import { type LookupAddress, Resolver } from 'node:dns'
import { isIP, isIPv4, type LookupFunction } from 'node:net'
import { networkTest, parseNetwork, plainForm } from './networks.ts'

export const URL_LENGTH_MAX = 4_096
const HTTPS_PORT = 443
const PORT_MAX = 65_535
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': HTTPS_PORT, 'http:': 80 }
/** Of one query to one name server. */
const RESOLVE_MS = 2_000
const RESOLVE_TRIES = 2

/** Private, shared, documentation, benchmark, multicast and reserved networks, and the address of Azure's platform. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16'],
]
/** Of the IPv6 networks, only this one has addresses of the internet; NAT64 and IPv4-translated addresses are outside. */
const GLOBAL_IPV6 = '2000::/3'
/** Teredo and others, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isSpecialIpv4 = networkTest(SPECIAL_IPV4)
const isGlobalIpv6 = networkTest([GLOBAL_IPV6])
const isSpecialIpv6 = networkTest(SPECIAL_IPV6)

function isPublic(address: string): boolean {
  const ip = plainForm(address)
  return isIPv4(ip) ? !isSpecialIpv4(ip) : isGlobalIpv6(ip) && !isSpecialIpv6(ip)
}

/** A host name, or a network of addresses. Null: every port. */
export type AllowedTarget = ({ name: string } | { network: string }) & { port: number | null }

/** Such as `10.1.0.0/16`, `10.1.2.3:9000`, `[fd00::1]:9000` or `minio.internal:9000`. Null for anything else. */
export function parseTarget(text: string): AllowedTarget | null {
  if (isNetwork(text)) return { network: text, port: null }
  const [, bracketed, plain = '', digits] = /^(?:\[([^[\]]{2,60})\]|([^:[\]]{1,300}))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (bracketed?.includes(':') === false) return null
  const host = nameOf(bracketed ?? plain)
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > PORT_MAX)) return null
  if (isNetwork(host)) return { network: host, port }
  // The second test finds names that are read as numbers, such as 1.2.3, which is 1.2.0.3.
  return HOST_NAME.test(host) && URL.parse(`http://${host}`)?.hostname === host ? { name: host, port } : null
}

const HOST_NAME = /^(?=.{1,253}$)[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?)*$/

const isNetwork = (text: string): boolean => parseNetwork(text) !== null

/** A trailing dot does not make it another name. */
const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '')

/** The target that the URL of a setting names. */
export function targetOf(url: string): AllowedTarget {
  const { hostname, port, protocol } = new URL(url)
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const wanted = Number(port || DEFAULT_PORTS[protocol])
  return isIP(bare) === 0 ? { name: nameOf(bare), port: wanted } : { network: bare, port: wanted }
}

/** `isForm`: the URL could never be allowed. */
export interface Refused {
  kind: 'refused'
  isForm: boolean
  /** Completes "The URL …". Has nothing of the URL in it. */
  why: string
}

const badForm = (why: string): Refused => ({ kind: 'refused', isForm: true, why })
const forbidden = (why: string): Refused => ({ kind: 'refused', isForm: false, why })
const NOT_PUBLIC = forbidden('leads to an address that is not on the public internet')
const NOT_SECURE = forbidden('does not start with https://')
const OTHER_PORT = forbidden(`has a port other than ${HTTPS_PORT}`)

/** All addresses of a name. Rejects if there are none. */
export type Resolve = (name: string) => Promise<LookupAddress[]>

/** Thrown by a lookup; its message is never shown. */
export class RefusedAddress extends Error {
  readonly refused: Refused

  constructor(refused: Refused) {
    super(refused.why)
    this.refused = refused
  }
}

/**
 * Without the thread pool, in which a few names of slow name servers would stop the lookups of all others. So it does not
 * read the hosts file: a name in it must be allowed by name.
 */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: RESOLVE_TRIES })
  const query = (family: 4 | 6, name: string) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      const done = (error: Error | null, addresses: string[] = []) =>
        error ? reject(error) : resolve(addresses.map((address) => ({ address, family })))
      if (family === 4) resolver.resolve4(name, done)
      else resolver.resolve6(name, done)
    })
  return async (name) => {
    const answers = await Promise.allSettled([query(4, name), query(6, name)])
    const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    const [failed] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    if (found.length === 0) throw failed ?? new Error('The name has no address')
    return found
  }
}

export type OutboundRules = ReturnType<typeof createOutboundRules>

export interface Target {
  kind: 'target'
  url: URL
  /** Undefined: that of the system, for a name that the operator has named. */
  lookup: LookupFunction | undefined
  /** Null for a name that the operator has named and for an address, which needs none. */
  resolve: (() => Promise<LookupAddress[]>) | null
  /** Whether the operator has named the target, or the network of this address of it. */
  isOwn: (address: string) => boolean
}

export function createOutboundRules(allowed: readonly AllowedTarget[], resolve: Resolve = createResolve()) {
  const networks = allowed.flatMap((each) =>
    'network' in each ? [{ isIn: networkTest([each.network]), port: each.port }] : [],
  )
  const isNamed = (name: string, port: number) =>
    allowed.some((each) => 'name' in each && each.name === name && (each.port ?? port) === port)
  const isAllowedAddress = (address: string, port: number) =>
    networks.some((each) => (each.port ?? port) === port && each.isIn(address))

  const isOwn = (port: number) => (address: string) => isAllowedAddress(address, port)

  /** Null if it may be called. */
  function refusalOf(address: string, port: number, isSecure: boolean): Refused | null {
    if (isAllowedAddress(address, port)) return null
    if (!isPublic(address)) return NOT_PUBLIC
    if (!isSecure) return NOT_SECURE
    return port === HTTPS_PORT ? null : OTHER_PORT
  }

  /** Throws unless every address is allowed: the system may connect to any of them. */
  async function resolveChecked(name: string, port: number, isSecure: boolean): Promise<LookupAddress[]> {
    const addresses = await resolve(name)
    for (const { address } of addresses) {
      const refused = refusalOf(address, port, isSecure)
      if (refused) throw new RefusedAddress(refused)
    }
    return addresses
  }

  function nameTarget(url: URL, name: string, port: number): Target | Refused {
    if (isNamed(name, port)) return { kind: 'target', url, lookup: undefined, resolve: null, isOwn: () => true }
    if (/(?:^|\.)localhost$/.test(name)) return NOT_PUBLIC
    const isSecure = url.protocol === 'https:'
    // Only an allowed network, which is known after the name is resolved, could permit these.
    if (networks.length === 0 && !isSecure) return NOT_SECURE
    if (networks.length === 0 && port !== HTTPS_PORT) return OTHER_PORT
    return pinned(url, () => resolveChecked(name, port, isSecure), isOwn(port))
  }

  /** The reason to refuse without resolving the name; otherwise how to connect. */
  function target(text: string): Target | Refused {
    const url = parseForm(text)
    if (!(url instanceof URL)) return url
    const port = Number(url.port || DEFAULT_PORTS[url.protocol])
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) === 0) return nameTarget(url, nameOf(host), port)
    const refused = refusalOf(host, port, url.protocol === 'https:')
    return refused ?? { kind: 'target', url, lookup: undefined, resolve: null, isOwn: isOwn(port) }
  }

  return {
    target,
    /** For a URL that is called later. Null if it may be called now; its addresses are checked again then. */
    async check(text: string): Promise<Refused | null> {
      const found = target(text)
      if (found.kind === 'refused') return found
      try {
        await found.resolve?.()
        return null
      } catch (error) {
        return error instanceof RefusedAddress ? error.refused : forbidden('has a host name that cannot be resolved')
      }
    },
  }
}

/** A name whose addresses are resolved and checked once, for the connection that uses them. */
function pinned(url: URL, resolve: () => Promise<LookupAddress[]>, isOwn: Target['isOwn']): Target {
  const lookup: LookupFunction = (_host, { all }, done) => {
    resolve().then(
      (addresses) => {
        const [first] = addresses
        if (all) done(null, addresses)
        else done(null, first?.address ?? '', first?.family)
      },
      (error) => done(error, ''),
    )
  }
  return { kind: 'target', url, lookup, resolve, isOwn }
}

function parseForm(text: string): URL | Refused {
  if (text.length > URL_LENGTH_MAX) return badForm(`has more than ${URL_LENGTH_MAX} characters`)
  // The parser would remove or replace these.
  if (/[\s\\\p{Cc}]/u.test(text)) return badForm('has white space, a backslash or control characters')
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return badForm('is not valid')
  if (DEFAULT_PORTS[url.protocol] === undefined) return badForm('does not start with https://')
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    return badForm('has a user name or password')
  if (text.includes('#')) return badForm('has a fragment')
  return url.port === '0' ? badForm('has a port that is out of range') : url
}

/** The URL that a response redirects to. */
export function redirectOf(from: URL, location: string): string | Refused {
  const to = URL.parse(location, from.href)
  if (to === null) return badForm('redirects to an invalid URL')
  if (from.protocol === 'https:' && to.protocol !== 'https:') return forbidden('redirects to a URL without https://')
  to.hash = ''
  return to.href
}

/** For people and logs: without the query, which may be a signature, and without anything before the host. */
export function shownUrl(text: string): string {
  const url = URL.parse(text)
  return url === null ? 'an invalid URL' : `${url.origin}${url.pathname}`
}
