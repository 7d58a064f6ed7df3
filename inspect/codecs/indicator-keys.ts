/** Keys under which addresses and files are looked up in lists: 128 bits of a SHA-256, as text of 16 bytes. */

import { hash } from 'node:crypto'

export const KEY_BYTES = 16

/** Labels of a host that are compared. A list cannot name a host with more. */
export const HOST_LABELS_MAX = 20

const LISTED = /^(?:https?|ftp):$/

/** So that an address is never taken for a host of the same text. */
const keyOf = (kind: 'url' | 'host', text: string): string =>
  hash('sha256', `${kind}\0${text}`, 'binary').slice(0, KEY_BYTES)

export const urlKey = (canonical: string): string => keyOf('url', canonical)
export const hostKey = (host: string): string => keyOf('host', host)

/** Of 64 hexadecimal digits. */
export const hashKey = (sha256: string): string => Buffer.from(sha256.slice(0, KEY_BYTES * 2), 'hex').toString('latin1')

/** Without user, fragment, default port and the dot at the end of the host. null: no address on a server. */
export function canonicalUrl(url: URL): string | null {
  const host = canonicalHost(url)
  if (host === '' || !LISTED.test(url.protocol)) return null
  const port = url.port === '' ? '' : `:${url.port}`
  const rest = url.pathname + url.search
  const encoded = rest.includes('%') ? rest.replace(/%[0-9a-f]{2}/gi, (each) => each.toUpperCase()) : rest
  return `${url.protocol}//${host}${port}${encoded}`
}

export function canonicalHost({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/

/** The host and the domains that it is in, down to two labels. */
export function hostsOf(host: string): string[] {
  const labels = host.split('.')
  if (labels.length < 2 || ADDRESS.test(host)) return host === '' ? [] : [host]
  const first = Math.max(0, labels.length - HOST_LABELS_MAX)
  return Array.from({ length: labels.length - 1 - first }, (_, i) => labels.slice(first + i).join('.'))
}
