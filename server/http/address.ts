/** Identifies callers without a credential by their IP address block. */
import { isIP, isIPv4 } from 'node:net'
import { plainForm } from '#base/networks.ts'

/** Some proxies append the port: `203.0.113.7:50001`, `[2001:db8::1]:50001`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

/** The eight groups of an IPv6 address; the last two may be in IPv4 notation. */
function groupsOf(ip: string): number[] {
  const hex = ip.replace(/(?<!\d)(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...[a, b, c, d]: string[]) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
  const [left = [], right = []] = hex.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const gap = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...gap, ...right].map((group) => Number.parseInt(group, 16))
}

/** Without port and zone; an IPv4 address in IPv6 notation in its own. Null for anything else. */
export function plainAddress(claimed: string | undefined): string | null {
  const [, bracketed, plain] = WITH_PORT.exec(claimed ?? '') ?? []
  const ip = plainForm(bracketed ?? plain ?? claimed ?? '')
  return isIP(ip) === 0 ? null : ip
}

/**
 * The IPv4 address, or the /64 of an IPv6 address because a customer usually owns all of it. An invalid address passed
 * on by a proxy counts as the proxy, so that inventing addresses earns no extra allowance.
 */
export function addressBlock(claimed: string | undefined, peer = ''): string {
  const ip = plainAddress(claimed)
  if (ip === null) return peer === '' ? 'unknown' : addressBlock(peer)
  if (isIPv4(ip)) return ip
  return `${groupsOf(ip)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
