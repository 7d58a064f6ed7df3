/** Judges links and counts those that lead out of a document. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { classifyTarget, describeTarget, reachOf, type Target } from '#inspect/targets/targets.ts'
import { createDeceptionJudge } from './deception/deception.ts'
import { kindOfExtension } from './extensions.ts'
import { returnsOpenCode } from './sign-ins.ts'

/** Links of one part to other places. */
export const LINKS_OUT = factType<{ count: number; first: string }>('links out')

/** `isAutomatic`: the program opens it without a click. null: an ordinary target. */
function judgeLink(text: string, { isAutomatic = false } = {}): Definition | null {
  const target = classifyTarget(text)
  const { kind, scheme, severity } = target
  if (scheme === 'ms-msdt') return LINKS.troubleshooter
  if (kind === 'share') return isAutomatic ? LINKS.fileServer : judgeShare(target, text)
  if (kind === 'script') return LINKS.script
  if (kind === 'web' && returnsOpenCode(text)) return LINKS.signIn
  if (kind !== 'handler' || severity === 'notice') return null
  if (isAutomatic) return LINKS.handlerAutomatic
  return severity === 'malicious' ? LINKS.handlerProgram : LINKS.handler
}

/** WebDAV reaches servers on the internet, whatever their name looks like. */
const WEB_FOLDER = /@(?:ssl|\d+)[\\/@]|[\\/]davwwwroot(?:[\\/]|$)/i

/** A file and an item in it: Outlook asks no question before such a link (CVE-2024-21413). */
const MONIKER = /\.\w{1,5}!\w*$/

/** A link to a file server that the reader must click. */
export function judgeShare({ host }: Target, target: string): Definition {
  if (MONIKER.test(target) && reachOf(host) !== 'company') return LINKS.moniker
  const extension = /\.([a-z0-9-]+)["\s]*(?:[?#]|$)/i.exec(target)?.[1]?.toLowerCase() ?? ''
  const isOpened = (kindOfExtension(extension)?.severity ?? 'notice') === 'notice'
  const isInside = reachOf(host) === 'company' && !WEB_FOLDER.test(target)
  return isInside && isOpened ? LINKS.companyServer : LINKS.fileServer
}

/** A target that opens when the mouse touches something. */
export function judgeHover(target: string): Definition | null {
  if (findCommand(target) !== null) return OFFICE.programAction
  const { kind, isRemote } = classifyTarget(target)
  if (kind === 'handler' || kind === 'script') {
    const found = judgeLink(target, { isAutomatic: true })
    if (found !== null) return found
  }
  if (kind === 'share') return LINKS.handlerAutomatic
  return isRemote ? OFFICE.hoverAction : null
}

/** Adds what is wrong with the links of a part, and records how many lead out. */
export function createLinkJudge(item: Item, context: Context) {
  let count = 0
  let first = ''
  const deception = createDeceptionJudge(item, context, { trustsText: false })
  return {
    /** `shown`: the text that is clicked. */
    add(text: string, shown = ''): void {
      deception.add(text, shown)
      const found = judgeLink(text)
      if (found !== null) context.addFinding(item, { ...found, detail: describeTarget(text) })
      if (!/^(?:web|webIp|share|handler)$/.test(classifyTarget(text).kind)) return
      count += 1
      if (first === '') first = describeTarget(text)
    },
    finish(): void {
      deception.finish()
      if (count > 0) context.record(item, LINKS_OUT, { count, first })
    },
  }
}

/** The detail of a finding about a target: null for local paths, which say only where the author keeps files. */
export function targetDetail(text: string): string | null {
  const { kind, isRemote } = classifyTarget(text)
  return isRemote || kind === 'handler' || kind === 'script' ? describeTarget(text) : null
}
