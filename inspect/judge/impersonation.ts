/** Mails in the name of a company whose links lead to somebody else. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { charge } from '#inspect/core/work.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { KEYS } from './command-windows.ts'
import { BRANDS, type Brand } from './deception/brands.ts'
import { claimIn } from './deception/claims.ts'
import { judgeAddress } from './deception/deception.ts'
import { domainOf } from './deception/domains.ts'
import { asks, isGenericName } from './deception/host-words.ts'
import { hostingOf, isTracker } from './deception/hosts.ts'
import { brandsNamed, ownerOf } from './deception/signs.ts'
import type { WrittenLink } from './deception/written.ts'
import { PASTES, URGES, wordsOf } from './lure-words.ts'
import { warns } from './pasting.ts'
import { names, type ShownText, shownText } from './pictures/pretexts.ts'

interface Message {
  /** As it is shown: a name and an address. */
  from: string
  text: string
  links: readonly WrittenLink[]
}

/** Longer mails are newsletters and reports. */
const TEXT_MAX = 4_000
const LINKS_MAX = 30
const CHARACTER_WORK = 60

interface Sender {
  host: string
  /** What it calls itself. */
  called: ShownText
}

export function judgeImpersonation({ from, text, links }: Message): { definition: Definition; detail: string } | null {
  if (links.length === 0 || links.length > LINKS_MAX || text.length > TEXT_MAX) return null
  const [, name = '', host = ''] = SENDER.exec(from) ?? []
  if (host === '') return null
  charge(text.length * CHARACTER_WORK)
  const sender = { host: host.toLowerCase(), called: shownText(name, true) }
  const said = shownText(text, true)
  const words = wordsOf(text)
  const asksToPaste = KEYS.test(text) && PASTES.test(words)
  const found =
    links.find((link) => isFalseClaim(link, sender, said, asksToPaste)) ?? ledByFalseName(sender, links, said, words)
  return found === undefined || warns(text)
    ? null
    : { definition: LINKS.impersonation, detail: describeTarget(found.target) }
}

const SENDER = /^([^<>]{0,100}?)\s{0,9}<?[^\s<>@]{1,100}@([\w.-]{4,250})>?\s{0,9}$/

/**
 * The text of the link is an address of a brand, the sender and the target are not of it, and the mail asks for the secrets of a
 * card, for a command, or leads to a host that poses as the same brand.
 */
function isFalseClaim(
  { target, shown }: WrittenLink,
  { host, called }: Sender,
  said: ShownText,
  asksToPaste: boolean,
): boolean {
  const claim = claimIn(shown)?.url
  const owner = claim === undefined ? undefined : ownerOf(claim.hostname)
  if (owner === undefined || isOwned(host, owner)) return false
  const { known, signs } = judgeAddress(target)
  if (known === null || isOwned(known.hostname, owner)) return false
  if (hostingOf(known) !== null || isTracker(known, domainOf(known.hostname).registered)) return false
  if (asksToPaste || (said.demands && isCalledLike(called, owner))) return true
  const poses =
    signs.some(({ kind, isStrong }) => kind === 'brand' && isStrong) && brandIn(known.hostname, owner) !== undefined
  return poses && said.presses && (said.waits || said.pretext)
}

const isOwned = (host: string, { owned }: Brand): boolean => ownerOf(host)?.owned === owned
const brandIn = (host: string, { owned }: Brand): Brand | undefined =>
  brandsNamed(host).find((brand) => brand.owned === owned)
const isCalledLike = (called: ShownText, { owned }: Brand): boolean =>
  BRANDS.some((brand) => brand.owned === owned && names(called, brand.name))

/** Names that a sender has beside that of his company. */
const OF_SENDERS =
  /^(?:support|security|team|account|accounts|service|services|billing|help|helpdesk|notifications?|alerts?|no|reply|noreply|the|inc|online|center|centre|sicherheit|kundenservice|securite|seguridad|sicurezza)$/

/** The sender is called like a brand, the host of its address is that name and a pretext, and a link leads to the same host. */
function ledByFalseName(
  { host, called }: Sender,
  links: readonly WrittenLink[],
  said: ShownText,
  words: string,
): WrittenLink | undefined {
  if (!said.pretext || !(said.presses || URGES.test(words))) return undefined
  const { registered, name } = domainOf(host)
  const brand = brandsNamed(host).find((each) => !isOwned(host, each) && isCalledLike(called, each))
  if (brand === undefined) return undefined
  const parts = called.joined.trim().split(' ')
  if (!parts.every((part) => OF_SENDERS.test(part) || isNameOf(part, brand))) return undefined
  const rest = name.split('-').filter((part) => !isNameOf(part, brand))
  const isPretext = (part: string): boolean => asks(part) || (!brand.isCommon && isGenericName(part))
  if (rest.length === 0 || !rest.every(isPretext)) return undefined
  return links.find(({ target }) => domainOf(URL.parse(target)?.hostname ?? '').registered === registered)
}

const isNameOf = (word: string, { owned }: Brand): boolean =>
  BRANDS.some((brand) => brand.owned === owned && brand.name.split(/[.-]/).includes(word))
