/** Judges XML in a PDF: forms (XFA) with scripts and connections, and metadata. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'
import type { Trigger } from './actions.ts'
import type { Findings } from './findings.ts'
import { EXTERNAL, type PdfScript } from './scripts.ts'
import { classify, judgeTarget } from './targets.ts'

/** Characters of a form that are read. */
export const FORM_MAX = 8_388_608
/** Elements of a form that are read. */
export const ELEMENTS_MAX = 50_000

const CHARACTER_WORK = 10
const ELEMENT_WORK = 2_000

/** Events of a form that happen without an action of the reader. */
const AUTOMATIC =
  /^(?:initialize|ready|docReady|docClose|prePrint|postPrint|preSave|postSave|preOpen|postOpen|indexChange|calculate|validate|full)$/

/** Elements that matter, and the end of an event. */
const TAG = /<(\/?)(?:[\w.-]{1,40}:)?(event|script|submit|image|execute|calculate|validate|connect|uri)\b([^<>]*)>/gi
const ATTRIBUTE = /([\w:.-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const DOCTYPE = /<!(?:DOCTYPE|ENTITY)\b[^>]{0,2000}/gi
const STYLESHEET = /<\?xml-stylesheet\b[^?]{0,2000}/gi

/** Declarations that load from outside. Metadata and forms have none. */
export function judgeDeclarations(xml: string, findings: Findings): void {
  charge(xml.length)
  if (!xml.includes('<!') && !xml.includes('<?xml-stylesheet')) return
  const declarations = [...xml.matchAll(DOCTYPE)]
    .map(([declaration]) => declaration)
    .filter((declaration) => EXTERNAL.test(declaration) || /^<!ENTITY/i.test(declaration))
  const stylesheets = [...xml.matchAll(STYLESHEET)]
    .map(([instruction]) => attributesOf(instruction).get('href') ?? '')
    .filter((target) => classify(target).isRemote)
  if (declarations.length > 0 || stylesheets.length > 0) findings.add(PDF.xfaExternal)
  for (const target of stylesheets) judgeTarget(target, 'automatic', findings)
  for (const target of declarations.flatMap(quoted))
    if (classify(target).kind === 'share') judgeTarget(target, 'automatic', findings)
}

function quoted(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '')
}

/** Returns its scripts. null: a limit was exceeded. */
export function judgeForm(text: string, findings: Findings): PdfScript[] | null {
  findings.add(PDF.xfa)
  if (text.length > FORM_MAX) return null
  charge(text.length * CHARACTER_WORK)
  judgeDeclarations(text, findings)
  const scripts: PdfScript[] = []
  let trigger: Trigger = 'click'
  let elements = 0
  let scriptEnd = 0
  for (const { 0: tag, 1: slash = '', 2: name = '', 3: rest = '', index } of text.matchAll(TAG)) {
    charge(ELEMENT_WORK)
    if (index < scriptEnd) continue
    if (++elements > ELEMENTS_MAX) return null
    const element = slash + name.toLowerCase()
    const attributes = attributesOf(rest)
    // Without an activity, and after its end, an event is a click.
    if (element.endsWith('event')) trigger = triggerOf(attributes)
    else if (element === 'script') {
      const from = index + tag.length
      scriptEnd = endOfScript(text, from, rest)
      scripts.push({ source: unescaped(text.slice(from, scriptEnd)), trigger })
    } else judgeReference(element, attributes, trigger, findings)
  }
  return scripts
}

const FILLED_IN = /^(?:enter|exit|change)$/

function triggerOf(attributes: ReadonlyMap<string, string>): Trigger {
  const activity = attributes.get('activity') ?? ''
  if (AUTOMATIC.test(activity)) return 'automatic'
  return FILLED_IN.test(activity) ? 'field' : 'click'
}

function judgeReference(
  element: string,
  attributes: ReadonlyMap<string, string>,
  trigger: Trigger,
  findings: Findings,
): void {
  const isPicture = element === 'image'
  for (const key of isPicture ? ['href'] : ['target', 'action', 'href']) {
    const target = attributes.get(key) ?? ''
    const { isRemote } = classify(target)
    if (!isRemote) continue
    const when = isPicture ? 'automatic' : trigger
    if (when === 'automatic') findings.add(PDF.xfaExternal)
    else {
      findings.add(PDF.submitForm)
      findings.posts.add(target)
    }
    judgeTarget(target, when, findings)
  }
}

function endOfScript(text: string, from: number, attributes: string): number {
  if (attributes.endsWith('/')) return from
  const end = /<\/(?:[\w.-]{1,40}:)?script/gi
  end.lastIndex = from
  const until = end.exec(text)?.index ?? text.length
  charge((until - from) * CHARACTER_WORK)
  return until
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [key, unescaped(double ?? single ?? '')]),
  )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Character references, and sections that have none. */
function unescaped(text: string): string {
  if (!text.includes('&') && !text.includes('<![')) return text
  return text
    .replaceAll(/<!\[CDATA\[|\]\]>/g, '')
    .replaceAll(
      /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return ownOf(ENTITIES, name.toLowerCase()) ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : ''
      },
    )
}
