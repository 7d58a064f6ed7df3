/** Pages that ask for a password, a card or the words of a wallet, and send them away. */

import { WEB } from '#inspect/catalogue/web.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { classifyTarget, describeTarget, isIpAddress } from '#inspect/judge/targets.ts'
import type { Behaviour } from './behaviour.ts'
import { askedFor } from './fields.ts'
import { domainOfHost, isHiddenIn } from './hiding.ts'
import { END_OF_FORM, type Markup, type Tag } from './markup.ts'
import { belongsToKnown, poses } from './posing.ts'

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
  /** Poses as a known company or gives a reason that phishing mails give. */
  poses: boolean
  /** Sends to the site that a browser saved it from. */
  isSaved: boolean
}

const FORM = factType<Form>('form')

/** Services that attackers use to collect passwords. None of them needs a server. */
const COLLECTOR =
  /api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com|formspree\.io|submit-form\.com|formsubmit\.co|getform\.io|formcarry\.com|web3forms\.com|usebasin\.com|formbold\.com|formkeep\.com|staticforms\.xyz|api\.emailjs\.com|webhook\.site|requestbin|pipedream\.net|script\.google\.com\/macros|docs\.google\.com\/forms/i

interface Page extends Markup {
  /** The source of the page. */
  page: string
  /** The host that it was saved from. */
  origin: string | null
}

export function recordForm(
  item: Item,
  read: Page,
  source: string,
  behaviour: Behaviour | null,
  isWritten: boolean,
  context: Context,
): void {
  const { tags, text, page, origin } = read
  const { asks, passwords, cardCode, phrase } = askedFor(read, page, behaviour)
  const fields = new Set(passwords)
  const actions = [
    ...(asks ? tags.flatMap(({ attributes }) => [attributes.get('formaction')]) : []),
    ...(fields.size > 0 ? ownersOf(fields, tags) : tags).map(({ attributes }) => attributes.get('action')),
  ]
  const domain = ownDomain(tags)
  const base = tags.find(({ name }) => name === 'base')?.attributes.get('href')
  const addresses = actions.filter((action) => action !== undefined).map((action) => resolved(action, base))
  const isRead = !asks || readsFields(source, passwords, behaviour)
  const isEditable = passwords.some(({ attributes }) => attributes.has('contenteditable'))
  const sent = [...(behaviour?.actions ?? []), ...(isRead ? sentTo(source, isEditable, behaviour) : [])].filter(
    isRemote,
  )
  const posts = [...addresses.filter(isRemote), ...sent]
  if (!asks && posts.length === 0) return
  const isOwn = (test: (post: string) => boolean): boolean => posts.length > 0 && posts.every(test)
  const isLong = text.length >= ARTICLE_MIN
  const isBuilt = sent.some((post) => isHiddenIn(source, post))
  context.record(item, FORM, {
    asks,
    posts,
    isHidden: isWritten || isBuilt,
    isPersonal: tags.some(isHiddenAddress) || (tags.some(isInnerPicture) && tags.some(isFilledAddress)),
    asksForCard: cardCode && passwords.length > 0,
    asksForPhrase: phrase,
    poses: asks && !isLong && poses(read, page, posts),
    isSaved:
      isOwn(belongsToKnown) ||
      (origin !== null && isOwn((post) => hostOf(post) === origin)) ||
      (isLong && domain !== null && isOwn((post) => domainOf(post) === domain)),
  })
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

/** How a script gets at fields without their names: through the form, by their kind or place, or by the keys that are pressed. */
const FIELDS = new RegExp(
  [
    String.raw`FormData|serialize(?:Array)?\b|\.elements\b|\bforms\b|\.target\s{0,4}\[|\.key\b|\bkeyCode\b|\.which\b`,
    String.raw`(?:querySelector(?:All)?|getElementsByTagName|\$)\(\s{0,4}["'\x60](?:form|input|:|\[)|getElementsBy(?:Class)?Name\(`,
    String.raw`type\s{0,4}[=:]\s{0,4}\\?["']?password`,
    String.raw`(?:children|childNodes|Sibling|Child|parentNode|parentElement)\b[^;\n]{0,80}\.value\b`,
  ].join('|'),
)

/** Whether the scripts of a page may read its password. Most only count readers and show advertisements. */
function readsFields(source: string, passwords: readonly Tag[], behaviour: Behaviour | null): boolean {
  if (FIELDS.test(source) || behaviour?.runsBuiltText || behaviour?.isCut) return true
  // Of a card or of words, every field is of interest.
  if (passwords.length === 0) return /\.value\b|\.val\(/.test(source)
  return passwords.some(({ attributes }) => {
    const names = ['id', 'name', 'class'].map((key) => attributes.get(key) ?? '')
    const isBound = attributes.keys().some((key) => key.startsWith('on') || key.startsWith('data-'))
    return isBound || names.some((name) => name !== '' && source.includes(name))
  })
}

/** A picture whose address is joined with what a field contains. */
const FIELD_IN_PICTURE = /\.src\s{0,4}=[^;\n]{0,300}(?:\.value\b|\.val\()/

/** Text that can be edited has no value. */
const TEXT_READ = /\b(?:innerText|textContent|innerHTML)\b/

function sentTo(source: string, isEditable: boolean, behaviour: Behaviour | null): readonly string[] {
  if (behaviour === null) return []
  const isPictured = FIELD_IN_PICTURE.test(source) || (isEditable && TEXT_READ.test(source))
  return [...behaviour.posts, ...(isPictured ? behaviour.pixels : [])]
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

/** Without the names of its computers. */
function domainOf(address: string): string | null {
  const host = hostOf(address)
  return host === null || isIpAddress(host) ? null : domainOfHost(host)
}

function hostOf(address: string): string | null {
  return URL.parse(address.replace(/^\/\//, 'https://'))?.hostname || null
}

/** An empty address is that of the page itself, whatever its base is. */
function resolved(address: string, base: string | undefined): string {
  return base === undefined || address.trim() === '' ? address : (URL.parse(address, base)?.href ?? address)
}

function isRemote(address: string): boolean {
  return classifyTarget(address, { isPage: true }).isRemote
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
