/** Classifies the targets of links, actions and references. */

import type { Severity } from '#inspect/core/findings.ts'
import { noteAddress } from '#inspect/core/indicators.ts'
import { charge } from '#inspect/core/work.ts'
import { MAIL, SCRIPTS, SHARES, WEB } from '#inspect/windows/schemes.ts'
import { reachOfAddress } from './addresses.ts'
import { handlerSeverity } from './handlers.ts'

/**
 * `webIp`: a web server without a name. `share`: a file server, by UNC path, `file://host` or WebDAV; opening it sends the
 * user's credentials. `file`: a path on the reader's own computer. `script`: code or a page inside the target itself.
 * `handler`: a scheme that starts a program.
 */
type TargetKind = 'web' | 'webIp' | 'share' | 'file' | 'relative' | 'script' | 'data' | 'handler' | 'mail' | 'other'

export interface Target {
  kind: TargetKind
  /** In lower case, without the colon; empty for paths. */
  scheme: string
  /** In lower case; empty if the target names none. */
  host: string
  /** On another computer. */
  isRemote: boolean
  /** Of a link that the reader must click. A target that opens by itself is worse. */
  severity: Severity
}

/** Longer targets are classified by their beginning. */
export const TARGET_MAX = 8_192

/** For every target, and for each of its characters. */
const TARGET_WORK = 1_000
const CHARACTER_WORK = 10

function chargeFor(text: string): void {
  charge(TARGET_WORK + Math.min(text.length, TARGET_MAX) * CHARACTER_WORK)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers remove them.
const ENDS = /^[\u0000-\u0020\u00a0\ufeff]+|[\u0000-\u0020\u00a0]+$/g
/** Anything that `normalized` removes. Most targets have nothing of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers remove them.
const CHANGED = /[\t\r\n]|^(?:[\u0000-\u0020\u00a0\ufeff]|url:)|[\u0000-\u0020\u00a0]$/i
const SCHEME = /^([a-z.][a-z0-9+.-]*):/i

/** As programs read it: without white space at the ends, and without tabs and line ends anywhere. */
function normalized(text: string): string {
  const start = text.slice(0, TARGET_MAX)
  if (!CHANGED.test(start)) return start
  const target = start.replace(/[\t\r\n]/g, '').replace(ENDS, '')
  return target.replace(/^url:/i, '')
}

/**
 * The target must be decoded: no character references, no percent-encoding of the scheme. `//host` is a share, except
 * with `isPage`, where it is a web address, also with a slash too many.
 */
export function classifyTarget(text: string, { isPage = false } = {}): Target {
  chargeFor(text)
  const target = normalized(text)
  noteAddress(target)
  const scheme = /^[a-z]:/i.test(target) ? '' : (SCHEME.exec(target)?.[1] ?? '').toLowerCase()
  const found = scheme === '' ? classifyPath(target, isPage) : classifyUrl(scheme, target)
  return { scheme, host: '', isRemote: false, severity: 'notice', ...found }
}

type Found = Pick<Target, 'kind'> & Partial<Target>

function classifyPath(target: string, isPage: boolean): Found {
  if (isPage && /^\/{2,3}[^/\\]/.test(target)) return classifyWeb(`http:${target}`)
  if (/^[\\/]{2}/.test(target)) return classifyUnc(target)
  return { kind: /^(?:[a-z]:|[\\/%~])/i.test(target) ? 'file' : 'relative' }
}

/** `\\host\share`, `\\?\UNC\host\share`, `\\host@SSL\DavWWWRoot\…`. */
function classifyUnc(target: string): Found {
  const path = target.replace(/^[\\/]+[?.][\\/](?:unc[\\/])?/i, (prefix) => (/unc[\\/]$/i.test(prefix) ? '' : '?'))
  if (path.startsWith('?')) return { kind: 'file' }
  const host = hostOf(path.replace(/^[\\/]+/, ''))
  if (isLocal(host)) return { kind: 'file', host }
  return NO_SERVER.test(host) ? { kind: 'file' } : { kind: 'share', host, isRemote: true, severity: 'suspicious' }
}

/** Signs that no name has: of variables such as `%~f0` and `${path}`, and of quotes. Nothing but unknown characters is no name either. */
const NO_SERVER = /["'<>|*^$~{}(),;=\s]|^(?:%|[\ufffd?]+$)/

const DATA_SCRIPT =
  /^data:\s*(?:text\/(?:html|xml|xsl|(?:java|vb|j|ecma)script)|application\/(?:xhtml\+xml|xml|hta|x-(?:java|vb)script|(?:java|ecma)script)|image\/svg\+xml)\b/i

function classifyUrl(scheme: string, target: string): Found {
  if (scheme === 'file') return classifyFile(target)
  if (WEB.includes(scheme)) return classifyWeb(target)
  if (SHARES.includes(scheme)) return classifyUnc(target.slice(scheme.length + 1))
  // `javascript://` and nothing else is a placeholder.
  if (SCRIPTS.includes(scheme)) return { kind: 'script', severity: 'notice' }
  if (scheme === 'data') return DATA_SCRIPT.test(target) ? { kind: 'script', severity: 'suspicious' } : { kind: 'data' }
  const severity = handlerSeverity(scheme, target)
  if (MAIL.includes(scheme)) return { kind: 'mail', severity: severity ?? 'notice' }
  if (severity === null) return { kind: 'other' }
  const host = hostOf(/(?:\\\\|%5c%5c|:\/\/)([^\\/%&]+)/i.exec(target.slice(scheme.length))?.[1] ?? '')
  return { kind: 'handler', host, isRemote: host !== '' && !isLocal(host), severity }
}

/** `file:` allows slashes and backslashes in any number. Two name a host; three or more a path, which may be UNC. */
function classifyFile(target: string): Found {
  const rest = target.slice('file:'.length)
  const slashes = /^[\\/]*/.exec(rest)?.[0] ?? ''
  const path = rest.slice(slashes.length)
  if (/^[a-z][:|]/i.test(path) || path === '') return { kind: 'file' }
  const isHost = slashes.length === 2 || slashes.length >= 4 || /\\\\/.test(slashes)
  return isHost ? classifyUnc(`\\\\${path}`) : { kind: 'file' }
}

function classifyWeb(target: string): Found {
  const host = hostOf(target.replace(/^[a-z]+:[\\/]*/i, ''), { isWeb: true })
  if (isLocal(host)) return { kind: 'web', host }
  return { kind: isIpAddress(host) ? 'webIp' : 'web', host, isRemote: true }
}

/** Most hosts are as they are read. */
const PLAIN_HOST = /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/

/**
 * As browsers read it: percent-encoding and the dots and digits of other scripts are decoded, a dot at the end is ignored.
 * Some programs end a host at a sign that only decoding reveals.
 */
function plainHost(host: string): string {
  if (PLAIN_HOST.test(host)) return host
  const decoded = host.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const [plain = ''] = decoded.normalize('NFKC').split(/[\\/?#]|%00/, 1)
  return plain
    .replaceAll('\u3002', '.')
    .toLowerCase()
    .replace(/(?<!\.)\.+$/, '')
}

/** The host at the start, without user, port and `@SSL`. In a web address, a number after `@` is the host. */
function hostOf(text: string, { isWeb = false } = {}): string {
  const authority = /^[^\\/?#]*/.exec(text)?.[0] ?? ''
  const named = isWeb ? authority : authority.replace(/@(?:ssl|\d+)(?:@\d+)?$/i, '')
  const host = named.slice(named.lastIndexOf('@') + 1)
  return plainHost(host.startsWith('[') ? host.replace(/\]:\d*$/, ']') : host.replace(/:\d*$/, ''))
}

function isLocal(host: string): boolean {
  return /^(?:localhost|localhost\.localdomain)?$/.test(host) || reachOfAddress(host) === 'computer'
}

const COMPANY = /\.(?:local|localhost|lan|home|home\.arpa|intranet|internal|corp)$/

/** A zone of a company's own domain, as Windows networks are named. */
const ZONE = /\.(?:corp|ad|intern|internal|intra|intranet|lan)\.[^.]+\.[a-z]{2,}$/

/**
 * Where a host is. `company`: a name without a dot, or a private address. `zone`: probably there as well, but an attacker
 * can choose such a name too.
 */
export function reachOf(host: string): 'company' | 'zone' | 'internet' {
  const name = plainHost(host)
  const reach = reachOfAddress(name)
  if (reach !== null) return reach === 'public' ? 'internet' : 'company'
  if (!name.includes('.') || COMPANY.test(name)) return 'company'
  return ZONE.test(name) ? 'zone' : 'internet'
}

/** A web server without a name, outside of a company. */
export function isBareAddress(target: string): boolean {
  const { kind, host } = classifyTarget(target)
  return kind === 'webIp' && reachOf(host) !== 'company'
}

/** A backslash and a slash inside a path or an address in quotes are no start. */
const SERVER = /(?:\\\\|(?<![\w:/\\])\\\/)([\w.\u0080-\uffff-]+)(@\w+)?[\\/]/g

/** The file servers in a text: whether each is outside the company, or uses a port as WebDAV does. */
export function foreignServers(text: string): boolean[] {
  return [...text.matchAll(SERVER)].map(([, host = '', port]) => port !== undefined || reachOf(host) !== 'company')
}

/** Also as one number, and in hexadecimal or octal: browsers accept them. */
export function isIpAddress(host: string): boolean {
  return reachOfAddress(host) !== null
}

/** Characters of a target or command in the detail of a finding. */
export const SHOWN_MAX = 200

const UNPRINTABLE = /[^\u0020-\u007e]/g

/** For the detail of a finding: printable, short, and nothing that a reader could open by accident. */
export function describeTarget(text: string): string {
  chargeFor(text)
  const shown = normalized(text)
    .replace(UNPRINTABLE, '?')
    .replace(/http(?=s?(?::|%3a))/gi, 'hxxp')
    .replace(
      /(:\/\/|\\\\|^\/\/|@)([^\\/?#&\s]+)/g,
      (_, start: string, host: string) => start + host.replaceAll('.', '[.]'),
    )
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX - 3)}...` : shown
}
