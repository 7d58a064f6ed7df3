/** The address that a phone opens for the text of a code. */

import { hasKnownSuffix } from '../deception/domains.ts'

/** Characters of a code, of which the largest has less. */
const TEXT_MAX = 8_000
/** How older phones and programs write an address and its title. */
const TITLED = /^mebkm:(?:(?!url:).)*url:((?:\\.|[^;\\])+)/is
const PREFIXED = /^(?:urlto|url)\s{0,4}:\s{0,4}(?=\S)/i
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`
/** A host without a scheme. What follows it tells it from other texts with a dot, else its suffix does. */
const BARE = new RegExp(String.raw`^((?:${LABEL}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62})(:\d{1,5})?(?:([/?#])\S*)?$`, 'u')
/** Names of files end so, and suffixes of registries do. */
const FILE = /\.(?:zip|mov|md|py|sh|rs|ps|cab|doc|bat)$/i

/** The text itself, if it is none without a scheme. */
export function addressOf(text: string): string {
  const given = text.slice(0, TEXT_MAX).replace(/^[\s\ufeff]+/, '')
  const address = (TITLED.exec(given)?.[1]?.replace(/\\(.)/g, '$1') ?? given.replace(PREFIXED, '')).trimEnd()
  if (/^https?:/i.test(address)) return address
  return /^www\./i.test(address) || isBare(address) ? `http://${address}` : text
}

function isBare(text: string): boolean {
  const [, host = '', port, more] = BARE.exec(text) ?? []
  if (host === '') return false
  return more === '/' || port !== undefined || (hasKnownSuffix(host.toLowerCase()) && !FILE.test(host))
}
