/** Pages that make a wallet give its coins to others, copy cards, or exchange accounts. */

import { WEB } from '#inspect/catalogue/web.ts'
import { decodedView } from '#inspect/commands/encoded-literals.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { theftIn } from '#inspect/judge/scripts/page-thefts.ts'
import { emptiesWallet, PROMISES, WALLET } from '#inspect/judge/scripts/wallets.ts'
import type { Behaviour } from './behaviour.ts'

/** Longer ones are applications with their libraries. */
const SOURCE_MAX = 60_000

export function judgeWallet(
  item: Item,
  { text }: { text: string },
  source: string,
  behaviour: Behaviour,
  context: Context,
): void {
  if (source.length > SOURCE_MAX || !WALLET.test(`${source} ${behaviour.texts.join(' ')}`)) return
  const code = decodedView(`${source}\n${behaviour.texts.join('\n')}`).text
  if (PROMISES.test(text) && emptiesWallet(code)) context.addFinding(item, { ...WEB.wallet, detail: null })
}

export function judgeTheft(item: Item, source: string, context: Context): void {
  const theft = source.length > SOURCE_MAX ? null : theftIn(decodedView(source).text)
  if (theft !== null) context.addFinding(item, { ...theft, detail: null })
}
