/** Pages that make their reader sign in at a known service and give away what the sign-in returns. */

import { WEB } from '#inspect/catalogue/web.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import type { Behaviour } from './behaviour.ts'
import type { PageLink } from './links.ts'
import type { Markup, Tag } from './markup.ts'
import { belongsToKnown } from './posing.ts'

const CHARACTER_WORK = 10
const COLON = '(?::|%3a)'
const SLASH = '(?:/|%2f)'

/** A sign-in whose result the browser of the reader shows as an address: at the computer itself, or at a page that does nothing with it. */
const RETURNS_CODE = new RegExp(
  String.raw`/(?:oauth2?|o/oauth2|authorize|connect)\b(?=[^\s"'<>]{0,600}response_type=code|[^\s"'<>]{0,600}client_id=)[^\s"'<>]{0,600}?redirect_uri=(?:https?${COLON}${SLASH}{2}(?:localhost|127\.0\.0\.1|(?:insiders\.)?vscode\.dev|[\w.]{1,40}${SLASH}(?:common${SLASH}oauth2${SLASH})?nativeclient)|urn${COLON}ietf)`,
  'i',
)
const TYPED = /^(?:text|url|search)?$/i
const isField = ({ name, attributes }: Tag): boolean =>
  name === 'textarea' ||
  attributes.has('contenteditable') ||
  (name === 'input' && TYPED.test(attributes.get('type')?.trim() ?? ''))
/** A text that is dropped or pasted. */
const TAKES = /\bdataTransfer\b|\bclipboardData\b|\bclipboard\.readText\b/

interface Page {
  markup: Markup
  links: readonly PageLink[]
  source: string
  behaviour: Behaviour | null
}

/** The code of a sign-in, in the address that the reader is asked to copy. */
export function judgeSignIns(item: Item, { markup, links, source, behaviour }: Page, context: Context): void {
  const addresses = [...links.map(({ target }) => target), ...(behaviour?.openings ?? []), ...(behaviour?.texts ?? [])]
  charge(addresses.join().length * CHARACTER_WORK)
  const address = addresses.find((each) => RETURNS_CODE.test(each))
  if (address === undefined || !(markup.tags.some(isField) || TAKES.test(source))) return
  const actions = markup.tags.flatMap(({ name, attributes }) =>
    name === 'form' ? (attributes.get('action') ?? []) : [],
  )
  const sent = [...actions, ...(behaviour?.posts ?? []), ...(behaviour?.actions ?? []), ...(behaviour?.pixels ?? [])]
  const post = sent.find((each) => /^(?:https?:)?\/\//i.test(each) && !belongsToKnown(each))
  if (post !== undefined) context.addFinding(item, { ...WEB.signInCode, detail: describeTarget(post) })
}
