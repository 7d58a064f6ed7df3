/** Reads IP addresses as programs accept them, and tells which belong to a private network. */

const V4_MAX = 2 ** 32
/** Smaller numbers without a dot are names of computers: an address below would be in the reserved network 0. */
const NUMBER_MIN = 2 ** 24

function startsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

/** One to four numbers, also in hexadecimal or octal; the last fills the rest of the address. null: a name. */
function parseV4(host: string): number | null {
  if (!startsWithDigit(host)) return null
  const parts = host.split('.')
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[0-9a-f]{0,16}|\d{1,16})$/.test(part))) return null
  const numbers = parts.map((part) =>
    /^0[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number(part === '0x' ? 0 : part),
  )
  const last = numbers.pop() ?? 0
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last)
  const isValid = numbers.every((number) => number < 256) && last < 256 ** (4 - numbers.length) && address < V4_MAX
  if (!isValid || (numbers.length === 0 && address < NUMBER_MIN)) return null
  return address
}

const LITERAL_END = '.ipv6-literal.net'

/** `[2001:db8::1]`, or the name that Windows uses in UNC paths. Eight groups; null: not an address. */
function parseV6(host: string): number[] | null {
  if (!host.startsWith('[') && !host.endsWith(LITERAL_END)) return null
  const literal = /^([0-9a-f-]+)(?:s\w+)?\.ipv6-literal\.net$/.exec(host)?.[1]?.replaceAll('-', ':')
  const text = literal ?? /^\[([0-9a-f:.]+)(?:%[^\]]*)?\]$/.exec(host)?.[1]
  if (text === undefined) return null
  const v4 = /(?<![\d.])[\d.]+$/.exec(text)?.[0] ?? ''
  const address = v4.includes('.') ? parseV4(v4) : null
  const hex =
    address === null
      ? text
      : `${text.slice(0, -v4.length)}${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`
  const [head = '', tail, ...more] = hex.split('::')
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const missing = 8 - first.length - last.length
  const groups = [...first, ...Array.from({ length: tail === undefined ? 0 : Math.max(0, missing) }, () => 0), ...last]
  return more.length === 0 && groups.length === 8 && groups.every((group) => group <= 0xffff) ? groups : null
}

type Reach = 'computer' | 'private' | 'public'

const inNetwork = (address: number, network: number, bits: number): boolean =>
  Math.floor(address / 2 ** (32 - bits)) === Math.floor(network / 2 ** (32 - bits))

/** 10/8, 172.16/12, 192.168/16 and 169.254/16. */
const PRIVATE_V4 = [
  [0x0a000000, 8],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0xa9fe0000, 16],
] as const

function reachOfV4(address: number): Reach {
  if (inNetwork(address, 0x7f000000, 8)) return 'computer'
  return PRIVATE_V4.some(([network, bits]) => inNetwork(address, network, bits)) ? 'private' : 'public'
}

function reachOfV6(groups: readonly number[]): Reach {
  const [first = 0] = groups
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0)
  if (isMapped && (groups[5] === 0xffff || high !== 0)) return reachOfV4(high * 0x10000 + low)
  if (isMapped && low === 1) return 'computer'
  // fc00::/7 is private, fe80::/10 reaches only the same network.
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 ? 'private' : 'public'
}

/** Where an address is; null: a name, such as `10.example.com`. A host that looks like an address but is none is public. */
export function reachOfAddress(host: string): Reach | null {
  const v6 = parseV6(host)
  if (v6 !== null) return reachOfV6(v6)
  const v4 = parseV4(host)
  if (v4 !== null) return reachOfV4(v4)
  return host.startsWith('[') || /^(?:\d+\.){3,}\d+$/.test(host) ? 'public' : null
}
