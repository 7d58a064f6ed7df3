/** Pages that ask for a password, a card or the words of a wallet, and send them away. */

import { WEB } from '#inspect/catalogue/web.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { ownerOf } from '#inspect/judge/deception/signs.ts'
import { belongsToKnown, poses, waitsAtPretext, waitsFor } from '#inspect/judge/posing.ts'
import { describeTarget, reachOf } from '#inspect/targets/targets.ts'
import type { Behaviour } from './behaviour.ts'
import { askedFor } from './fields.ts'
import { hiddenIn } from './hiding.ts'
import { END_OF_FORM, type Markup, type Tag } from './markup.ts'
import { domainOf, hostOf, isNamed, isRemote, resolved } from './named-sites.ts'
import { entriesSentTo, readsFields } from './sending.ts'

interface Form {
  asks: boolean
  /** Remote addresses that forms and scripts send to. */
  posts: readonly string[]
  /** Written by a script from coded text. */
  isHidden: boolean
  /** The address of the reader is already filled in, out of sight or beside a logo inside the page. */
  isPersonal: boolean
  /** Asks for the code of a card or bank account besides the password. */
  asksForCard: boolean
  /** Asks for the words that open a wallet, which no site needs. */
  asksForPhrase: boolean
  /** Poses as a known company, gives a reason that phishing mails give, or waits for no answer. */
  poses: boolean
  /** Sends to the site that a browser saved it from. */
  isSaved: boolean
}

const FORM = factType<Form>('form')

/** Services that attackers use to collect passwords, by mail, chat or in a table. None of them needs a server. */
const COLLECTOR =
  /\/api\/v1\.0\/email\/send(?:-form)?\b|api\.(?:sendgrid|mailgun|brevo|sendinblue|resend|postmarkapp|mailjet|smtp2go|elasticemail|mailersend|emailjs)\.(?:com|net)|mandrillapp\.com\/api|\/bot\d{6,12}:[\w-]{20,60}\/send|-default-rtdb\.[\w.-]{0,40}firebase(?:io|database)\.|\.supabase\.co\/rest|api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|formspree\.io|submit-form\.com|formsubmit\.co|getform\.io|formcarry\.com|web3forms\.com|usebasin\.com|formbold\.com|formkeep\.com|staticforms\.xyz|webhook\.site|requestbin|pipedream\.net|script\.google\.com\/macros|docs\.google\.com\/forms/i

interface Page extends Markup {
  /** The source of the page. */
  page: string
  /** The host that it was saved from. */
  origin: string | null
  /** The host of the web archive that it is a part of. */
  archive: string | null
}

export function recordForm(
  item: Item,
  read: Page,
  source: string,
  behaviour: Behaviour | null,
  isWritten: boolean,
  context: Context,
): void {
  const { tags, text, page, origin, archive } = read
  const { asks, passwords, cardCode, phrase, identity } = askedFor(read, page, behaviour)
  const domain = ownDomain(tags)
  const isRead = !asks || readsFields(source, passwords, behaviour)
  const entries = entriesSentTo(source, isRead ? behaviour : null)
  const sent = [...(behaviour?.actions ?? []), ...entries.posts].filter(isRemote)
  const posts = [...actionsOf(tags, asks, passwords).filter(isRemote), ...sent]
  const isOneWay = entries.isOneWay && sent.length > 0
  if (!asks && posts.length === 0) return
  const isOwn = (test: (post: string) => boolean): boolean => posts.length > 0 && posts.every(test)
  const isLong = text.length >= ARTICLE_MIN
  const isBuilt = sent.some(hiddenIn(source))
  const leaves = (): boolean => sent.length > 0 && !isOwn(belongsToKnown) && leadsToCompany(behaviour)
  const titles = titlesOf(tags, page)
  const posesAsOther = (): boolean => identity || poses({ titles, text }, posts) || isOneWay || leaves()
  const isPosing = asks && !isLong && posesAsOther()
  const isFromArchive = (post: string): boolean => isFrom(archive, post) && !waitsAtPretext({ titles, text }, post)
  context.record(item, FORM, {
    asks,
    posts,
    isHidden: isWritten || isBuilt,
    isPersonal: isMadeForReader(tags),
    asksForCard: cardCode && passwords.length > 0,
    asksForPhrase: phrase,
    poses: isPosing || waitsAt(asks ? posts : [], text),
    isSaved:
      isOwn(belongsToKnown) ||
      isOwn(isInside) ||
      isOwn((post) => isFrom(origin, post)) ||
      (!isPosing && isOwn(isFromArchive)) ||
      (isLong && domain !== null && isOwn((post) => domainOf(post) === domain)) ||
      (!isPosing && isOwn((post) => isNamed(post, titles, read))),
  })
}

/** A page of a known company that asks for no account: whoever has taken a password leads there, so that nobody wonders. */
function leadsToCompany(behaviour: Behaviour | null): boolean {
  const isFrontPage = (address: string): boolean =>
    ownerOf(hostOf(address) ?? '') !== undefined && !/[?#]|oauth|authori[sz]e/i.test(address)
  return behaviour?.redirects.some(isFrontPage) ?? false
}

const HEADING = /<h[1-4]\b[^<>]{0,300}>\s{0,40}([^<]{1,100})/gi
const HEADING_WORK = 10

/** What a page is called: its title, its headings, and the texts of its pictures. */
function titlesOf(tags: readonly Tag[], page: string): string[] {
  charge(page.length * HEADING_WORK)
  const titles = tags.flatMap(({ name, attributes, content }) => {
    if (name === 'title') return [content]
    return name === 'img' || name === 'svg' ? [attributes.get('alt') ?? attributes.get('aria-label') ?? ''] : []
  })
  return [...titles, ...Array.from(page.matchAll(HEADING), ([, heading = '']) => heading)]
}

const waitsAt = (posts: readonly string[], text: string): boolean =>
  posts.length > 0 && !posts.some(belongsToKnown) && waitsFor(text)

/** The addresses that forms send to, of those with a field for a password if there is one. */
function actionsOf(tags: readonly Tag[], asks: boolean, passwords: readonly Tag[]): readonly string[] {
  const actions = [
    ...(asks ? tags.flatMap(({ attributes }) => [attributes.get('formaction')]) : []),
    ...(passwords.length > 0 ? ownersOf(new Set(passwords), tags) : tags).map(({ attributes }) =>
      attributes.get('action'),
    ),
  ]
  const base = tags.find(({ name }) => name === 'base')?.attributes.get('href')
  return actions.filter((action) => action !== undefined).map((action) => resolved(action, base))
}

/** The forms that a password is entered in. A browser ignores a form inside another, and a field may name its form. */
function ownersOf(fields: ReadonlySet<Tag>, tags: readonly Tag[]): readonly Tag[] {
  const owners = new Set<Tag>()
  let open: Tag | null = null
  for (const tag of tags) {
    if (tag === END_OF_FORM) open = null
    else if (tag.name === 'form') open ??= tag
    if (!fields.has(tag)) continue
    if (tag.attributes.has('form')) return tags
    if (open !== null) owners.add(open)
  }
  return [...owners]
}

const SAVED_FROM = /<!-- saved from url=\(\d{4}\)(https:\/\/[^\s<>]{1,2000}) -->/

/** The host that a browser noted when it saved the page, if the page names the same as its own. Never an IP address. */
export function savedFrom(text: string, tags: readonly Tag[]): string | null {
  const noted = hostOf(SAVED_FROM.exec(text.slice(0, 4_096))?.[1] ?? '')
  if (noted === null || !/\.[a-z]{2,}$/.test(noted)) return null
  const own = tags.flatMap(({ name, attributes }) =>
    name === 'base' || (name === 'link' && /canonical/i.test(attributes.get('rel') ?? ''))
      ? [hostOf(attributes.get('href') ?? '')]
      : [],
  )
  return own.every((host) => host === noted) ? noted : null
}

/** A device or server of the network of the reader. */
const isInside = (post: string): boolean => reachOf(hostOf(post) ?? 'www.example') === 'company'
const isFrom = (host: string | null, post: string): boolean => host !== null && hostOf(post) === host

const HEAD_MAX = 4_096
const ARCHIVED = /^snapshot-content-location[ \t]*:[ \t]*(https:\/\/\S{1,2000})/im
const SAVED_BY = /^from[ \t]*:[ \t]*<saved by [\w .]{1,40}>/im
/** Archives of Internet Explorer, which notes the address with the page, and its own name in the language of its user. */
const PRODUCED_BY = /^x-mimeole[ \t]*:[ \t]*produced by microsoft mimeole/im
const FIRST_PART = /^content-location[ \t]*:[ \t]*(https:\/\/\S{1,2000})/im
/** Of mails that were sent. */
const SENT = /^(?:received|to|delivered-to|return-path)[ \t]*:/im

/** The host that a browser noted in a web archive, which is also read as a page itself. */
export function archivedFrom({ bytes, parent }: Item): string | null {
  return notedIn(bytes) ?? (parent === null ? null : notedIn(parent.bytes))
}

function notedIn(bytes: Uint8Array): string | null {
  const text = view(bytes.subarray(0, HEAD_MAX)).toString('latin1')
  const [head = ''] = text.split(/\r?\n\r?\n/, 1)
  const isSaved = !SENT.test(head) && (SAVED_BY.test(head) || PRODUCED_BY.test(head))
  const noted = (ARCHIVED.exec(head) ?? (PRODUCED_BY.test(head) ? FIRST_PART.exec(text) : null))?.[1]
  const host = isSaved ? hostOf(noted ?? '') : null
  return host !== null && /\.[a-z]{2,}$/.test(host) ? host : null
}

/** Characters of a text with a form beside it. A page that only poses as a site has the form and little else. */
export const ARTICLE_MIN = 3_000

/** The domain that a page names as its own. */
function ownDomain(tags: readonly Tag[]): string | null {
  const addresses = tags.flatMap(({ name, attributes }) => {
    if (name === 'link' && /canonical/i.test(attributes.get('rel') ?? '')) return [attributes.get('href') ?? '']
    return name === 'meta' && attributes.get('property') === 'og:url' ? [attributes.get('content') ?? ''] : []
  })
  const [first, ...others] = addresses.map(domainOf)
  return first !== undefined && others.every((domain) => domain === first) ? first : null
}

function isInnerPicture({ name, attributes }: Tag): boolean {
  return (
    (name === 'img' || name === 'image') && /^data:image/i.test(attributes.get('src') ?? attributes.get('href') ?? '')
  )
}

function isFilledAddress({ name, attributes }: Tag): boolean {
  return name === 'input' && /^[^@\s]+@[^@\s]+\.\w+$/.test(attributes.get('value') ?? '')
}

/** Made for one reader, who cannot change the address. */
function isHiddenAddress(tag: Tag): boolean {
  return isFilledAddress(tag) && (/^hidden$/i.test(tag.attributes.get('type') ?? '') || tag.attributes.has('readonly'))
}

const isMadeForReader = (tags: readonly Tag[]): boolean =>
  tags.some(isHiddenAddress) || (tags.some(isInnerPicture) && tags.some(isFilledAddress))

/** The page and the pages that its scripts write belong together. */
export function concludeForms(item: Item, facts: Facts, context: Context): void {
  const forms = facts.of(FORM).map(({ value }) => value)
  const post = forms.flatMap(({ posts }) => posts)[0]
  if (post === undefined || !forms.some(({ asks }) => asks)) return
  const collector = forms.flatMap(({ posts }) => posts).find((address) => COLLECTOR.test(address))
  const isSaved = forms.every((form) => form.isSaved)
  const isHidden = forms.some((form) => form.isHidden || form.isPersonal || (form.asksForCard && !isSaved))
  const poses = !isSaved && forms.some((form) => form.poses || form.asksForPhrase)
  context.addFinding(item, {
    ...definitionOf(isHidden || collector !== undefined, poses, isSaved),
    detail: describeTarget(collector ?? post),
  })
}

function definitionOf(isHidden: boolean, poses: boolean, isSaved: boolean) {
  if (isHidden) return WEB.phishing
  if (poses) return WEB.falseLogin
  return isSaved ? WEB.savedLogin : WEB.credentialForm
}
