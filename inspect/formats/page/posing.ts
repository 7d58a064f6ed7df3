/** Pages that pose as a known company, or invent a reason, to be given a password. */

import { charge } from '#inspect/core/work.ts'
import { BRANDS, type Brand, OWNER_OF } from '#inspect/judge/deception/brands.ts'
import { domainOf } from '#inspect/judge/deception/domains.ts'
import { either, wider } from '#inspect/judge/deception/wider.ts'
import { URGES, wordsOf } from '#inspect/judge/lure-words.ts'
import type { Markup } from './markup.ts'

/** Their programs have sign-in pages on servers of those who bought them. */
const SELF_HOSTED = new Set(['citrix', 'fortinet', 'github', 'sharepoint', 'servicenow'])
const NAMES: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter(({ name, isCommon }) => !isCommon && !SELF_HOSTED.has(name)).map((brand) => [brand.name, brand]),
)

const HEADING = /<h[1-4]\b[^<>]{0,300}>\s{0,40}([^<]{1,100})/gi
const TITLE_MAX = 200
const TITLES_MAX = 50
const PAGE_WORK = 20

/** Reasons that phishing mails give. No page of a company that was saved gives one. */
const PRETEXT =
  /(?:mailbox|storage|inbox|quota)(?: storage)?(?: is| has)?(?: almost| nearly| reached)? (?:full|its limit|exceeded)|session (?:has |is )?(?:timed out|expired)|unusual (?:sign-?in )?activity|(?:e-?mail|mailbox) password (?:to|below)|(?:suspend|deactivat|terminat)(?:ed|ion) (?:within|in) \d{1,3} hours|(?:keep|retain) (?:the )?(?:same|current) password/i

/** Whether the page is called after a company, or gives such a reason, and sends to a server that belongs to no company of the list. */
export const poses = (markup: Markup, page: string, posts: readonly string[]): boolean =>
  either(() => posesAsOther(markup, page, posts))

function posesAsOther({ tags, text }: Markup, page: string, posts: readonly string[]): boolean {
  if (posts.length === 0 || posts.some(belongsToKnown)) return false
  charge((page.length + text.length) * PAGE_WORK)
  const start = text.length < SHORT_MAX ? [text.slice(0, START_MAX)] : []
  return PRETEXT.test(text) || URGES.test(wordsOf(text)) || [...titlesOf(tags, page), ...start].some(namesBrand)
}

/** A sign-in page has little else, and begins with a name in place of a logo. */
export const SHORT_MAX = 1_000
export const START_MAX = 120

/** Computers on which companies take passwords. On others of theirs anybody can publish something. */
const SIGN_IN = /^(?:(?:www|login|accounts?|signin|auth|id|idmsa|appleid|sso|secure|my|m|res)\.)?$/

/** A page that sends to a known company steals nothing, whatever it is called. */
export function belongsToKnown(post: string): boolean {
  const host = URL.parse(post)?.hostname ?? ''
  const { registered } = domainOf(host)
  const isKnown = OWNER_OF.has(registered) || wider()?.owners.has(registered)
  return isKnown === true && SIGN_IN.test(host.slice(0, -registered.length))
}

function titlesOf(tags: Markup['tags'], page: string): string[] {
  const titles = tags.flatMap(({ name, attributes, content }) => {
    if (name === 'title') return [content]
    return name === 'img' || name === 'svg' ? [attributes.get('alt') ?? attributes.get('aria-label') ?? ''] : []
  })
  const headings = [...page.matchAll(HEADING)].map(([, heading = '']) => heading)
  return [...titles, ...headings].slice(0, TITLES_MAX).map((title) => title.slice(0, TITLE_MAX))
}

/** Other sites offer to sign in with the account of a company. */
const OFFERED = new Set(['with', 'via', 'using', 'by', 'or', 'and', 'for'])

const isName = (word: string): boolean => NAMES.has(word) || wider()?.byName.get(word)?.isCommon === false

/** As a word, or as two: "Office 365". */
function namesBrand(title: string): boolean {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.some(
    (word, at) => (isName(word) || isName(`${word}${words[at + 1] ?? ''}`)) && !OFFERED.has(words[at - 1] ?? ''),
  )
}
