/** Parsers for the values of settings. */
import { createPrivateKey } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { escapeControls } from '#base/escape-controls.ts'
import { messageOf } from '#base/message-of.ts'
import { type Network, parseNetwork } from '#base/networks.ts'
import { type AllowedTarget, parseTarget } from '#base/outbound-rules.ts'
import { parseClamdUrl } from '#engines/clamd/endpoint.ts'
import { type Listener, type ProtocolName, parseListeners } from '#listeners/specification.ts'
import { type Mailbox, parseMailbox } from '#mail/address.ts'
import { PLAN_NAME } from '#usage/plan.ts'

/** `wrong` is a short phrase for the operator. For a secret it never contains any of the secret. */
export type Parsed<T> = { value: T } | { wrong: string }

export interface ValueType<T> {
  /** Completes the sentence "Allowed: …". */
  allowed: string
  parse(text: string): Parsed<T>
}

/** A value as shown in a message: one line, shortened, without the credentials of a URL. */
export function quote(text: string): string {
  const [start, end] = [text.indexOf('//'), text.lastIndexOf('@')]
  const masked = start === -1 || end < start ? text : `${text.slice(0, start)}//…${text.slice(end)}`
  return escapeControls(JSON.stringify(masked.length > 60 ? `${masked.slice(0, 60)}…` : masked))
}

export const integer = (min: number, max: number): ValueType<number> => ({
  allowed: `a whole number from ${min} to ${max}`,
  parse(text) {
    if (!/^(0|[1-9]\d*)$/.test(text)) return { wrong: 'not a whole number' }
    const value = Number(text)
    return value >= min && value <= max ? { value } : { wrong: 'out of range' }
  },
})

const PROCESSES_MAX = 64

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600 }

/** In seconds; the value is in milliseconds. */
export const duration = (min: number, max: number): ValueType<number> => ({
  allowed: `a whole number with s, m or h, from ${min}s to ${max / 3_600}h`,
  parse(text) {
    const [, count, unit = ''] = /^([1-9]\d{0,6})([smh])$/.exec(text) ?? []
    const seconds = Number(count) * (UNITS[unit] ?? Number.NaN)
    return seconds >= min && seconds <= max ? { value: seconds * 1_000 } : { wrong: 'not such a time' }
  },
})

/** One more than a rule can have: none is. */
const SCORE_MAX = 101

export const scores: ValueType<{ malicious: number; suspicious: number }> = {
  allowed: `two whole numbers from 0 to ${SCORE_MAX}, the first not lower than the second, such as 80,60`,
  parse(text) {
    const [, first, second] = /^(\d{1,3}),(\d{1,3})$/.exec(text) ?? []
    const [malicious, suspicious] = [Number(first), Number(second)]
    if (malicious <= SCORE_MAX && suspicious <= malicious) return { value: { malicious, suspicious } }
    return { wrong: 'not two such numbers' }
  },
}

/** Between a half and two thirds of the CPU time of a scan is that of the main process, so each needs one to two cores. */
export const processCount: ValueType<number> = {
  allowed: `auto, or a whole number from 1 to ${PROCESSES_MAX}`,
  parse: (text) =>
    text === 'auto'
      ? { value: Math.min(PROCESSES_MAX, Math.max(1, Math.floor(availableParallelism() / 2))) }
      : integer(1, PROCESSES_MAX).parse(text),
}

export const oneOf = <const T extends string>(...words: T[]): ValueType<T> => ({
  allowed: words.join(', ').replace(/, ([^,]*)$/, ' or $1'),
  parse(text) {
    const value = words.find((word) => word === text)
    return value ? { value } : { wrong: 'not one of the allowed values' }
  },
})

export const boolean: ValueType<boolean> = {
  allowed: 'true or false',
  parse: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : { wrong: 'not a boolean' }),
}

export const visibleAscii = (lengthMax: number): ValueType<string> => ({
  allowed: `up to ${lengthMax} visible ASCII characters`,
  parse(text) {
    if (!/^[\x21-\x7e]+$/.test(text)) return { wrong: 'has white space or characters that are not visible ASCII' }
    return text.length <= lengthMax ? { value: text } : { wrong: 'too long' }
  },
})

export const base64Of = (bytes: number): ValueType<string> => ({
  allowed: `${bytes} bytes in Base64`,
  parse(text) {
    if (/\s/.test(text)) return { wrong: 'has white space' }
    const value = Buffer.from(text, 'base64')
    if (value.toString('base64') !== text) return { wrong: 'not Base64' }
    return value.length === bytes ? { value: text } : { wrong: `not ${bytes} bytes` }
  },
})

const PEM = /^-----BEGIN PRIVATE KEY-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END PRIVATE KEY-----$/

/** Its text stays as it is, because the key is read elsewhere. */
export const ed25519Key: ValueType<string> = {
  allowed: 'an Ed25519 private key as PEM (PKCS#8)',
  parse(text) {
    if (text !== text.trim()) return { wrong: 'has white space around it' }
    if (!PEM.test(text)) return { wrong: 'not a private key in PEM' }
    try {
      const { asymmetricKeyType } = createPrivateKey(text)
      return asymmetricKeyType === 'ed25519' ? { value: text } : { wrong: 'not an Ed25519 key' }
    } catch {
      return { wrong: 'not a private key in PEM' }
    }
  },
}

export const jsonList: ValueType<unknown[]> = {
  allowed: 'a JSON list',
  parse(text) {
    try {
      const value: unknown = JSON.parse(text)
      return Array.isArray(value) ? { value } : { wrong: 'not a list' }
    } catch {
      return { wrong: 'not valid JSON' }
    }
  },
}

export const uuid: ValueType<string> = {
  allowed: 'a UUID',
  parse(text) {
    const value = text.toLowerCase()
    return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? { value } : { wrong: 'not a UUID' }
  },
}

export const pathOf = (allowed: string, finish = (path: string) => path): ValueType<string> => ({
  allowed,
  parse(text) {
    if (text.trim() !== text) return { wrong: 'begins or ends with white space' }
    if (/\p{Cc}/u.test(text)) return { wrong: 'has control characters' }
    return { value: finish(text) }
  },
})

export const port: ValueType<number> = {
  ...integer(1, 65_535),
  parse(text) {
    // Kubernetes sets DOCVET_PORT in every pod next to a service named "docvet".
    if (text.startsWith('tcp://')) return { wrong: 'set by Kubernetes: use enableServiceLinks: false in the pod' }
    return integer(1, 65_535).parse(text)
  },
}

export const hostName: ValueType<string> = {
  allowed: 'an IP address without brackets, or a host name',
  parse(text) {
    if (text.includes('%')) return { wrong: 'has a zone, which a URL cannot contain' }
    if (isIP(text)) return { value: text }
    const labels = /^(?=.{1,253}$)[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?)*$/i
    // The second test finds names that browsers read as numbers, such as 1.2.3 (they connect to 1.2.0.3).
    const isPlain = labels.test(text) && URL.parse(`http://${text}`)?.hostname === text.toLowerCase()
    return isPlain ? { value: text } : { wrong: 'neither an IP address nor a host name' }
  },
}

/** An IPv6 address is in brackets, as in a URL. */
export const hostAndPort: ValueType<{ host: string; port: number }> = {
  allowed: 'a host and a port, such as 127.0.0.1:9464 or [::1]:9464',
  parse(text) {
    const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(text) ?? []
    const host = hostName.parse(bracketed ?? plain ?? '')
    const number = port.parse(digits)
    if ('wrong' in host || (bracketed !== undefined && !bracketed.includes(':')))
      return { wrong: 'not a host and a port' }
    return 'wrong' in number ? { wrong: 'not a valid port' } : { value: { host: host.value, port: number.value } }
  },
}

/** config.ts checks that the plan exists. */
export const planName: ValueType<string> = {
  allowed: 'the name of a plan',
  parse: (value) => (PLAN_NAME.test(value) ? { value } : { wrong: 'not the name of a plan' }),
}

const ENGINE_NAMES = ['embedded', 'clamd'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

export const engineNames: ValueType<EngineName[]> = {
  allowed: 'embedded or embedded,clamd; embedded is required',
  parse(text) {
    const given = text.split(',').map((name) => name.trim())
    const value = ENGINE_NAMES.filter((name) => given.includes(name))
    if (value.length !== given.length) return { wrong: 'not a list of different engines' }
    // On its own, clamd reports documents as clean that it could not fully inspect.
    return value.includes('embedded') ? { value } : { wrong: 'lacks embedded' }
  },
}

export const clamdUrls: ValueType<string[]> = {
  allowed: 'unix:/path/to/socket or tcp://host:port, several separated by commas',
  parse(text) {
    const value = text.split(',').map((url) => url.trim())
    try {
      for (const url of value) parseClamdUrl(url)
      return { value }
    } catch (error) {
      return { wrong: messageOf(error) }
    }
  },
}

export const listeners = (protocol: ProtocolName): ValueType<Listener[]> => ({
  allowed: 'tcp://host:port?key=<key id> or unix:/path?key=<key id>, several separated by commas',
  parse: (text) => parseListeners(protocol, text),
})

export const mailbox: ValueType<Mailbox> = {
  allowed: 'one mailbox: an email address, or a name followed by the email address in angle brackets',
  parse(text) {
    const value = parseMailbox(text)
    return value ? { value } : { wrong: 'not one mailbox' }
  },
}

const ADDRESSES_MAX = 100

export const email: ValueType<string> = {
  allowed: 'an e-mail address',
  parse(text) {
    const mailbox = parseMailbox(text)
    return mailbox === null || mailbox.name !== '' ? { wrong: 'not an e-mail address' } : { value: mailbox.address }
  },
}

export const emails: ValueType<string[]> = {
  allowed: `up to ${ADDRESSES_MAX} e-mail addresses, separated by commas`,
  parse(text) {
    const value: string[] = []
    for (const entry of text.split(',')) {
      const mailbox = parseMailbox(entry.trim())
      if (mailbox === null || mailbox.name !== '') return { wrong: 'not a list of e-mail addresses' }
      value.push(mailbox.address.toLowerCase())
    }
    return value.length > ADDRESSES_MAX ? { wrong: 'too many addresses' } : { value }
  },
}

export const networks: ValueType<string[]> = {
  allowed: 'IP addresses and networks like 10.0.0.0/8, separated by commas, no wider than /8 (IPv4) or /7 (IPv6)',
  parse(text) {
    const value = text.split(',').map((entry) => entry.trim())
    const faults = value.map(networkFault).filter((fault) => fault !== null)
    return faults.length > 0
      ? { wrong: faults.join('; ') }
      : { value: value.map((each) => parseNetwork(each)?.text ?? each) }
  },
}

export const targets: ValueType<AllowedTarget[]> = {
  allowed:
    'IP addresses, networks like 10.1.0.0/16 and host names, each with a port like minio.internal:9000 or without, separated by commas, no wider than /8 (IPv4) or /7 (IPv6)',
  parse(text) {
    const entries = text.split(',').map((entry) => entry.trim())
    const value = entries.flatMap((entry) => parseTarget(entry) ?? [])
    if (value.length < entries.length) return { wrong: 'not a list of addresses, networks and host names' }
    const faults = value.flatMap((each) => ('network' in each ? (networkFault(each.network) ?? []) : []))
    return faults.length > 0 ? { wrong: faults.join('; ') } : { value }
  },
}

/** Libraries compare IPv4 addresses in IPv6 notation with it. */
function hasAllIpv4({ address, bits, family }: Network): boolean {
  const list = new BlockList()
  list.addSubnet(address, bits, family)
  return family === 'ipv6' && list.check('::ffff:0:0', family)
}

function networkFault(entry: string): string | null {
  const network = parseNetwork(entry)
  if (network === null) return `${quote(entry)} is not an IP address or network`
  // Trusting a large part of the internet would let clients choose the IP address that rate limits apply to. The widest
  // networks that one operator can own are 10.0.0.0/8 and fc00::/7.
  const isWide = network.bits < (network.family === 'ipv4' ? 8 : 7) || hasAllIpv4(network)
  return isWide ? `${quote(entry)} would trust almost everyone` : null
}
