/** Pages that ask for a password and send it away. */

import { WEB } from '#inspect/catalogue/web.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { classifyTarget, describeTarget } from '#inspect/judge/targets.ts'
import type { Behaviour } from './behaviour.ts'
import type { Markup, Tag } from './markup.ts'

interface Form {
  hasPassword: boolean
  /** Remote addresses that forms and scripts send to. */
  posts: readonly string[]
  /** Written by a script from coded text. */
  isHidden: boolean
  /** The address of the reader is already filled in, out of sight or beside a logo inside the page. */
  isPersonal: boolean
  /** Asks for the code of a card or bank account besides the password. */
  asksForCard: boolean
  /** Sends to the site that a browser saved it from. */
  isSaved: boolean
}

const FORM = factType<Form>('form')

/** Services that attackers use to collect passwords. None of them needs a server. */
const COLLECTOR =
  /api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks|formspree\.io|submit-form\.com|formsubmit\.co|getform\.io|formcarry\.com|webhook\.site|script\.google\.com\/macros/i

export function recordForm(
  item: Item,
  { tags, origin }: Markup & { origin: string | null },
  source: string,
  behaviour: Behaviour | null,
  isWritten: boolean,
  context: Context,
): void {
  const actions = tags.flatMap(({ attributes }) => [attributes.get('action'), attributes.get('formaction')])
  const base = tags.find(({ name }) => name === 'base')?.attributes.get('href')
  const addresses = actions.filter((action) => action !== undefined).map((action) => resolved(action, base))
  const posts = [...addresses, ...(behaviour?.posts ?? [])].filter(isRemote)
  const hasPassword = tags.some(isPasswordField)
  if (!hasPassword && posts.length === 0) return
  const isBuilt = (behaviour?.posts ?? []).some((post) => isRemote(post) && !source.includes(post))
  context.record(item, FORM, {
    hasPassword,
    posts,
    isHidden: isWritten || isBuilt,
    isPersonal: tags.some(isHiddenAddress) || (tags.some(isInnerPicture) && tags.some(isFilledAddress)),
    asksForCard: tags.some(isCardField),
    isSaved: origin !== null && posts.every((post) => hostOf(post) === origin),
  })
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

function hostOf(address: string): string | null {
  return URL.parse(address)?.hostname || null
}

/** An empty address is that of the page itself, whatever its base is. */
function resolved(address: string, base: string | undefined): string {
  return base === undefined || address.trim() === '' ? address : (URL.parse(address, base)?.href ?? address)
}

function isRemote(address: string): boolean {
  return classifyTarget(address, { isPage: true }).isRemote
}

function isPasswordField({ name, attributes }: Tag): boolean {
  if (name !== 'input') return false
  // Some hide the type from searches, and the letters by a style.
  const type = attributes.get('type') ?? 'text'
  return (
    /^password$/i.test(type) || (/^text$/i.test(type) && /^pass(?:word|wort|wd)$/i.test(attributes.get('name') ?? ''))
  )
}

/** No shop asks for the code of a card together with a password, and no bank sends a form for it. */
const CARD =
  /^(?:cvv2?|cvc2?|card[_-]?(?:code|cvv|cvc|pin)|security[_-]?code|(?:push|sms|chip)?[_-]?tan(?:[_-]?(?:nr|nummer|code))?)$/i

function isCardField({ name, attributes }: Tag): boolean {
  return (
    name === 'input' &&
    [...attributes].some(([key, value]) => /^(?:name|id|placeholder)$/.test(key) && CARD.test(value.trim()))
  )
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
  if (post === undefined || !forms.some(({ hasPassword }) => hasPassword)) return
  const collector = forms.flatMap(({ posts }) => posts).find((address) => COLLECTOR.test(address))
  const isSaved = forms.every((form) => form.isSaved)
  const isHidden = forms.some((form) => form.isHidden || form.isPersonal || (form.asksForCard && !isSaved))
  const plain = isSaved ? WEB.savedLogin : WEB.credentialForm
  const definition = isHidden || collector !== undefined ? WEB.phishing : plain
  context.addFinding(item, { ...definition, detail: describeTarget(collector ?? post) })
}
