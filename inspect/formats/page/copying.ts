/** Pages that show one command and put another on the clipboard. */

import { WEB } from '#inspect/catalogue/web.ts'
import { findCommand } from '#inspect/commands/find.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { indexOf } from '#inspect/core/search.ts'
import { charge } from '#inspect/core/work.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import type { Behaviour } from './behaviour.ts'
import type { Markup } from './markup.ts'

const CODE = new Set(['code', 'pre', 'samp', 'kbd'])
/** Pages shorten long commands, and show at least this much. */
const SHOWN_MIN = 24
const CHARACTER_WORK = 5
const HOST = /https?:\/\/([\w.-]{4,100})/gi

/**
 * Who copies what he reads expects just that. Publishers show what they copy, and nobody codes the address of an installer.
 */
export function judgeCopying(item: Item, markup: Markup, behaviour: Behaviour, context: Context): void {
  const { copied, replacesCopy } = behaviour
  for (const text of new Set(copied)) {
    const command = findCommand(text)
    if (command === null || !command.isRemote || isShown(text, markup)) continue
    const isSwapped = replacesCopy && namesNoHost(`${text} ${command.decoded ?? ''}`, markup)
    if (!isSwapped && !(command.isEncoded && showsCode(markup))) continue
    context.addFinding(item, { ...WEB.clickFix, detail: describeTarget(text.trim()) })
    return
  }
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ')

function isShown(text: string, markup: Markup): boolean {
  charge((text.length + markup.text.length) * CHARACTER_WORK)
  return indexOf(markup.text, plain(text).slice(0, SHOWN_MIN)) !== -1
}

/** Whether the page says nothing of the servers of a command. */
function namesNoHost(command: string, markup: Markup): boolean {
  const hosts = [...command.matchAll(HOST)].map(([, host = '']) => host)
  return hosts.length > 0 && hosts.every((host) => indexOf(markup.text, host) === -1)
}

const showsCode = ({ tags, text }: Markup): boolean =>
  tags.some(({ name }) => CODE.has(name)) || findCommand(text)?.isRemote === true
