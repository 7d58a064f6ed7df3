/** Pages that make their reader sign in at a known service and give away what the sign-in returns. */

import { WEB } from '#inspect/catalogue/web.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { belongsToKnown } from '#inspect/judge/posing.ts'
import { judgeSignInText, makesReturningAddress, returnsCode, SIGN_INS } from '#inspect/judge/sign-ins.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import type { Behaviour } from './behaviour.ts'
import type { PageLink } from './links.ts'
import type { Markup, Tag } from './markup.ts'

const CHARACTER_WORK = 10
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
  if (item.has(SIGN_INS)) judgeText(item, markup.text, addresses, context)
  const isMade = addresses.some(returnsCode) || makesReturningAddress(source)
  if (!isMade || !(markup.tags.some(isField) || TAKES.test(source))) return
  const actions = markup.tags.flatMap(({ name, attributes }) =>
    name === 'form' ? (attributes.get('action') ?? []) : [],
  )
  const sent = [...actions, ...(behaviour?.posts ?? []), ...(behaviour?.actions ?? []), ...(behaviour?.pixels ?? [])]
  const post = sent.find((each) => /^(?:https?:)?\/\//i.test(each) && !belongsToKnown(each))
  if (post !== undefined) context.addFinding(item, { ...WEB.signInCode, detail: describeTarget(post) })
}

/** What a page or the page of a mail asks for without a script. */
function judgeText(item: Item, text: string, links: readonly string[], context: Context): void {
  const found = judgeSignInText(text, links)
  if (found !== null) context.addFinding(item, { ...found.definition, detail: found.detail })
}
