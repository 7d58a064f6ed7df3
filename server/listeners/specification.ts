/** Parses the specification of a listener: its address, the API key that its scans belong to, and its options. */
import { resolve } from 'node:path'
import { isLoopbackHost } from '#base/loopback.ts'
import { messageOf } from '#base/message-of.ts'
import { parseNetwork } from '#base/networks.ts'

export type ProtocolName = 'clamd' | 'icap'

/** Families of media types that may pass without an inspection. */
const FAMILIES = ['image', 'audio', 'video', 'font'] as const

interface ListenerOptions {
  /** The reply for a document that cannot be inspected: encrypted, too complex, damaged, or no document. */
  unscannable: 'error' | 'found'
  /** The reply when there is no verdict: an engine is down or late, the key or quota does not allow a scan. */
  failure: 'error' | 'found' | 'limits' | 'close'
  /** Content that is no document: `default` is `clamd` if that engine is configured, otherwise `error`. */
  other: 'default' | 'error' | 'clamd' | { pass: readonly string[] }
}

export interface Listener extends ListenerOptions {
  protocol: ProtocolName
  /** Without options, for the log. */
  url: string
  address: { host: string; port: number } | { path: string; mode: number | null; group: string | null }
  keyId: string
  /** Networks of the clients that are accepted; null: every client that can reach the address. */
  from: readonly string[] | null
  /** Paths of the certificate and its key. */
  tls: { cert: string; key: string } | null
}

const UNIX_ONLY = ['mode', 'group']
const TCP_ONLY = ['from', 'tls']
const PORT_MAX = 65_535
/** Linux limits the path of a socket to 108 bytes with its terminating zero. */
const PATH_BYTES_MAX = 107
const KEY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FAILURES: Record<ProtocolName, readonly ListenerOptions['failure'][]> = {
  clamd: ['error', 'close', 'limits'],
  icap: ['error', 'found'],
}

/** The message is fit for the operator. */
class SpecificationError extends Error {}

function refuse(message: string): never {
  throw new SpecificationError(message)
}

/** Values contain commas as well, so only a comma before the next address separates two listeners. */
const SEPARATOR = /,\s*(?=(?:tcp|unix):)/

export function parseListeners(protocol: ProtocolName, text: string): { value: Listener[] } | { wrong: string } {
  try {
    const value = text.split(SEPARATOR).map((each) => parseListener(protocol, each.trim()))
    const urls = value.map(({ url }) => url)
    const twice = urls.find((url, index) => urls.indexOf(url) !== index)
    if (twice !== undefined) refuse(`${twice} is named twice`)
    return { value }
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error
    return { wrong: messageOf(error) }
  }
}

function parseListener(protocol: ProtocolName, text: string): Listener {
  const at = text.indexOf('?')
  const url = at === -1 ? text : text.slice(0, at)
  const given = parseQuery(url, at === -1 ? '' : text.slice(at + 1))
  const isUnix = url.startsWith('unix:')
  const known = ['key', 'unscannable', 'failure', 'other', ...(isUnix ? UNIX_ONLY : TCP_ONLY)]
  const unknown = [...given.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) refuse(`${url} has the unknown parameter ${unknown}; known are ${known.join(', ')}`)
  const from = given.get('from')?.split(',') ?? null
  checkNetworks(url, from)
  const address = isUnix ? parsePath(url, given) : parseTcp(url, from !== null)
  return {
    protocol,
    url: isUnix && 'path' in address ? `unix:${address.path}` : url,
    address,
    keyId: parseKey(url, given.get('key')),
    unscannable: choose(url, given, 'unscannable', ['error', 'found'], protocol === 'icap' ? 'found' : 'error'),
    failure: choose(url, given, 'failure', FAILURES[protocol], 'error'),
    other: parseOther(url, given.get('other')),
    from,
    tls: parseTls(url, given.get('tls')),
  }
}

function parseQuery(url: string, query: string): Map<string, string> {
  const given = new Map<string, string>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const equals = pair.indexOf('=')
    const name = equals === -1 ? pair : pair.slice(0, equals)
    if (given.has(name)) refuse(`${url} has the parameter ${name} twice`)
    given.set(name, equals === -1 ? '' : pair.slice(equals + 1))
  }
  return given
}

function choose<T extends string>(
  url: string,
  given: ReadonlyMap<string, string>,
  name: string,
  allowed: readonly T[],
  preset: T,
): T {
  const text = given.get(name)
  if (text === undefined) return preset
  return allowed.find((each) => each === text) ?? refuse(`${name} of ${url} must be ${allowed.join(' or ')}`)
}

function parseKey(url: string, text: string | undefined): string {
  if (text === undefined) refuse(`${url} has no key: add ?key= and the id of an API key`)
  if (text.startsWith('dv_')) refuse(`key of ${url} must be the id of an API key, not its secret`)
  return KEY_ID.test(text) ? text : refuse(`key of ${url} is not the id of an API key`)
}

function checkNetworks(url: string, networks: readonly string[] | null): void {
  for (const network of networks ?? []) {
    if (parseNetwork(network) === null)
      refuse(`from of ${url} must have IP addresses and networks like 10.0.0.0/8, separated by commas`)
  }
}

function parseTcp(url: string, hasFrom: boolean): { host: string; port: number } {
  const [, bracketed, plain, digits = ''] =
    /^tcp:\/\/(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})\/?$/.exec(url) ?? []
  const host = bracketed ?? plain ?? refuse(`${url} must be tcp://host:port or unix:/path`)
  const port = Number(digits)
  if (port < 1 || port > PORT_MAX) refuse(`the port of ${url} must be between 1 and ${PORT_MAX}`)
  if (!hasFrom && !isLoopbackHost(bracketed === undefined ? host : `[${host}]`)) {
    refuse(`${url} can be reached from other machines: add from= with the networks of the clients`)
  }
  return { host, port }
}

function parsePath(url: string, given: ReadonlyMap<string, string>) {
  const path = url.slice('unix:'.length).replace(/^\/\/(?=\/)/, '')
  if (!path.startsWith('/') || path.startsWith('//') || /\p{Cc}/u.test(path)) {
    refuse(`${url} must have the full path of the socket, as in unix:/run/docvet/clamd.ctl`)
  }
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) refuse(`the path of a socket has at most ${PATH_BYTES_MAX} bytes`)
  const mode = given.get('mode') ?? null
  if (mode !== null && !/^0?[0-7]{3}$/.test(mode)) refuse(`mode of ${url} must be octal, as in 0660`)
  const group = given.get('group') ?? null
  if (group !== null && !/^[\w.-]{1,64}$/.test(group)) refuse(`group of ${url} must be the name or number of a group`)
  return { path, mode: mode === null ? null : Number.parseInt(mode, 8), group }
}

function parseTls(url: string, text: string | undefined): Listener['tls'] {
  if (text === undefined) return null
  const [cert = '', key = '', ...rest] = text.split(',')
  if (cert === '' || key === '' || rest.length > 0)
    refuse(`tls of ${url} must be the paths of a certificate and its key`)
  return { cert: resolve(cert), key: resolve(key) }
}

function parseOther(url: string, text: string | undefined): ListenerOptions['other'] {
  if (text === undefined) return 'default'
  if (text === 'error' || text === 'clamd') return text
  const [, list] = /^pass:(.+)$/.exec(text) ?? []
  const pass = list?.split(',') ?? []
  const isKnown = pass.length > 0 && pass.every((each) => FAMILIES.some((family) => family === each))
  return isKnown ? { pass } : refuse(`other of ${url} must be error, clamd or pass: with ${FAMILIES.join(', ')}`)
}

/** Warnings for the operator at the start. */
export function listenerWarnings(listeners: readonly Listener[]): string[] {
  return listeners.flatMap(({ url, protocol, other }) =>
    typeof other === 'object'
      ? [`The ${protocol} listener ${url} lets ${other.pass.join(', ')} pass without an inspection (other=pass:).`]
      : [],
  )
}
