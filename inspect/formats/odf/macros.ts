/** Macros of OpenDocument files, and the events that run them. */

import { ODF } from '#inspect/catalogue/odf.ts'
import { decodeEntities, type Tag, withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { assess } from '#inspect/judge/command/assess.ts'
import { isDangerousName, isDataName } from '#inspect/judge/extensions.ts'
import { readBasic } from '#inspect/programs/basic/basic.ts'
import { readPython } from '#inspect/programs/python/python.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

interface Source {
  language: 'basic' | 'python' | 'other'
  name: string
  text: string
}

interface Event {
  isAutomatic: boolean
  /** The macro, such as `Standard.Module1.Main` or `script.py$main`. */
  macro: string
}

const SOURCE = factType<Source>('OpenDocument macro')
const EVENT = factType<Event>('OpenDocument event')

/** Basic in packages, in flat files, and in files of OpenOffice 1. */
const MODULE = /<(?:[^\s<>:/]+:)?(?:module|source-code|script-data)(?=[\s>])([^<>]*)>([^<]*)/g
const MODULE_NAME = /\bname\s*=\s*["']([^"'<]*)/
const MODULE_WORK = 2_000

export function readMacros(item: Item, text: string, context: Context): void {
  const name = item.path.at(-1) ?? ''
  if (/\.(?:py|js|bsh)$/i.test(name)) {
    addSource(item, { language: /\.py$/i.test(name) ? 'python' : 'other', name, text }, context)
    return
  }
  for (const [, attributes = '', source = ''] of withoutMarkup(text).matchAll(MODULE)) {
    charge(MODULE_WORK + source.length)
    const module = MODULE_NAME.exec(attributes)?.[1] ?? name
    if (source.trim() !== '')
      addSource(item, { language: 'basic', name: module, text: decodeEntities(source) }, context)
  }
}

function addSource(item: Item, source: Source, context: Context): void {
  keep(source.text.length)
  context.record(item, SOURCE, source)
  context.addFinding(item, ODF.macro)
}

/** Opening, closing and creating; everything else needs the reader. */
const AUTOMATIC =
  /^(?:dom:load|office:(?:open|load|new|create|start|load-finished|view-created|focus|layout-finished)|on(?:load|new|create|focus|viewcreated|loadfinished|layoutfinished)|dom:(?:domfocusin|unload)|office:(?:close|prepare-unload|unload))$/i

export function recordEvent(item: Item, attributes: Tag['attributes'], context: Context): void {
  const isAutomatic = AUTOMATIC.test(attributes.get('event-name') ?? attributes.get('name') ?? '')
  const address = attributes.get('href') ?? attributes.get('macro-name') ?? ''
  recordMacro(item, { isAutomatic, address }, context)
}

export function recordMacro(
  item: Item,
  { isAutomatic, address }: { isAutomatic: boolean; address: string },
  context: Context,
): void {
  const macro = address.replace(/^[\w.]+:(?:\/\/\/)?/, '').replace(/[?#(].*$/s, '')
  context.record(item, EVENT, { isAutomatic, macro })
}

/** Calls of JavaScript and BeanShell that start programs or fetch code. */
const STARTS =
  /\b(?:getRuntime\s*\(|ProcessBuilder|java\.lang\.(?:Runtime|reflect)|URLClassLoader|openStream\s*\(|Class\.forName|exec\s*\(|eval\s*\(|SystemShellExecute|oleautomation\.Factory)/
/** Services of LibreOffice that start programs. */
const SERVICES = /SystemShellExecute|oleautomation\.Factory|\bShell\s*\(|\bShell\s+"/i
const RISKY_EFFECTS: ReadonlySet<string> = new Set(['start', 'code', 'fetch', 'memory', 'persist', 'registry'])

export function concludeMacros(item: Item, facts: Facts, context: Context): void {
  const sources = facts.of(SOURCE).map(({ value }) => value)
  const events = facts.of(EVENT).map(({ value }) => value)
  if (sources.length === 0 || events.length === 0) return
  const automatic = events.filter((event) => event.isAutomatic)
  const auto = automatic.length === 0 ? null : riskOf(sources, automatic)
  if (auto !== null) {
    context.addFinding(item, { ...(auto.isFetch ? ODF.autoFetch : ODF.autoMacro), detail: auto.detail })
    return
  }
  const clicked = riskOf(sources, events)
  if (clicked !== null) context.addFinding(item, { ...ODF.macroStart, detail: clicked.detail })
}

interface Risk {
  /** Empty if it cannot be read. */
  detail: string
  /** Only reads an address. */
  isFetch: boolean
}

/** Without the seams between literals. */
function joined(text: string): string {
  return text.replace(/(["'])\s{0,8}[&+]\s{0,8}\1/g, '')
}

/** Effects of the macros that these events run; null: none that matters. */
function riskOf(sources: readonly Source[], events: readonly Event[]): Risk | null {
  const startsOther = sources.some(({ language, text }) => language === 'other' && STARTS.test(joined(text)))
  if (startsOther) return { detail: '', isFetch: false }
  const python = sources.filter(({ language }) => language === 'python').map(({ text }) => text)
  const called = python
    .flatMap((text) => readPython(text).effects)
    .filter(({ kind }) => kind !== 'save' && kind !== 'call')
    .filter(({ kind, text }) => !(kind === 'start' && assess(text, { by: 'macro' }) === 'ordinary'))
  const saves = python.some((text) => WRITES.test(text) || /\bsocket\b/.test(text))
  const isProgram = ({ kind, text }: (typeof called)[number]): boolean =>
    kind !== 'fetch' || saves || isDangerousName(text)
  const worst = called.find(isProgram) ?? called[0]
  const basic = worst !== undefined && isProgram(worst) ? null : riskOfBasic(sources, events)
  if (basic !== null || worst === undefined) return basic
  return { detail: describeTarget(worst.text), isFetch: !isProgram(worst) }
}

/** Of Python: a file that may be a program. A socket may be a remote control. */
const WRITES = /urlretrieve|write_bytes|\bopen\s*\([^()]{0,200}["'][wax]b?\+?["']/

function riskOfBasic(sources: readonly Source[], events: readonly Event[]): Risk | null {
  const modules = sources.filter(({ language }) => language === 'basic')
  const triggers = events.map(({ macro }) => macro.split(/[.$/]/).at(-1) ?? '')
  const { effects, isIncomplete } = readBasic(modules, { triggers })
  const named = new Set(triggers.map((name) => name.toLowerCase()))
  const risky = effects.filter(
    ({ kind, isAutomatic, text }) =>
      isAutomatic && RISKY_EFFECTS.has(kind) && !(kind === 'start' && assess(text, { by: 'macro' }) === 'ordinary'),
  )
  const savesProgram = effects.some(
    ({ kind, isAutomatic, text }) => kind === 'save' && isAutomatic && !isDataName(text),
  )
  const isProgram = ({ kind, text }: (typeof risky)[number]): boolean =>
    kind !== 'fetch' || savesProgram || isDangerousName(text)
  const worst = risky.find(isProgram) ?? risky[0]
  if (worst !== undefined) return { detail: describeTarget(worst.text), isFetch: !isProgram(worst) }
  // Code that was not understood is searched.
  const isCalled = modules.some(({ text }) =>
    [...named].some((name) => name !== '' && text.toLowerCase().includes(name)),
  )
  const mayStart = isIncomplete && isCalled && modules.some(({ text }) => SERVICES.test(joined(text)))
  return mayStart ? { detail: '', isFetch: false } : null
}
