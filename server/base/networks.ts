/** IP addresses and networks, and whether one is in the other. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/
const MAPPED_BITS = 96

/** Without its zone; an IPv4 address that is written as an IPv6 one in its own form. */
export function plainForm(address: string): string {
  const [ip = ''] = address.split('%', 1)
  if (!isIPv6(ip)) return ip
  const [, high, low] = MAPPED_IPV4.exec(URL.parse(`http://[${ip}]`)?.hostname ?? '') ?? []
  if (high === undefined || low === undefined) return ip
  const bytes = [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
  return bytes.join('.')
}

export interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
  /** In one form for both notations of IPv4. */
  text: string
}

/** An address, or a network such as `10.0.0.0/8`. The number has no leading zero. */
const NETWORK = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/

/** Null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [, given = '', prefix] = NETWORK.exec(text) ?? []
  const bitsMax = isIPv4(given) ? 32 : 128
  const bits = prefix === undefined ? bitsMax : Number(prefix)
  if ((bitsMax === 128 && !isIPv6(given)) || bits > bitsMax) return null
  const plain = plainForm(given)
  // A wider network than that of all IPv4 addresses has others as well.
  const isMapped = bitsMax === 128 && isIPv4(plain) && bits >= MAPPED_BITS
  const [address, own] = isMapped ? [plain, bits - MAPPED_BITS] : [given, bits]
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  return { address, bits: own, family, text: prefix === undefined ? address : `${address}/${own}` }
}

/** Throws for what is no network. No IPv6 network has an IPv4 address, in whichever notation, not even `::/0`. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  // One list would compare addresses of both families.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const network of networks) {
    const parsed = parseNetwork(network)
    if (parsed === null) throw new Error(`${network} is not an IP address or a network`)
    lists[parsed.family].addSubnet(parsed.address, parsed.bits, parsed.family)
  }
  return (address) => {
    const ip = plainForm(address)
    const family = isIPv4(ip) ? 'ipv4' : 'ipv6'
    return ip !== '' && lists[family].check(ip, family)
  }
}
