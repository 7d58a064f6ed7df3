/** Pages that put a command on the clipboard for the reader to run (ClickFix). */

import { WEB } from '#inspect/catalogue/web.ts'
import { findCommand } from '#inspect/commands/find.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { indexOf } from '#inspect/core/search.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { KEYS, opensWindow } from '#inspect/judge/command-windows.ts'
import { seenTextOf } from '#inspect/judge/pages/seen.ts'
import {
  hasPretext as givesPretext,
  HUMAN,
  partsAroundKeys,
  pastedWhereSeen,
  REPAIR,
  seenWithKeys,
  warns,
  warnsWhereSeen,
} from '#inspect/judge/pasting.ts'
import type { SeenText } from '#inspect/judge/seen-text.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { INSTALLATION_COMMANDS } from '#inspect/windows/programs.ts'
import type { Behaviour } from './behaviour.ts'
import type { Markup } from './markup.ts'

/** Why the reader should do so. */
const PRETEXT =
  /not a robot|you(?:'|&#39;|.)? ?a?re (?:a )?human|verif(?:y|ication)|captcha|fix (?:it|the|this)|(?:update|install|repair).{0,40}(?:browser|certificate|font|extension|error)|can ?not be displayed|can't be displayed/i

/** A comment after the command, all that a narrow window shows of it. */
const DISGUISED =
  /["')\s](?:#|rem\b|::|&\s?rem\b)\s{0,200}.{0,40}(?:robot|captcha|verif|human|[a-z]:\\.{1,200}\.\w{3,4}\b)|\S\s{40}\s{0,400}#/i

/** Characters of a command. */
const COMMAND_MIN = 8
const CHARACTER_WORK = 5

interface Page {
  markup: Markup
  /** As it is written. */
  written: string
  isDrawing: boolean
  /** Its scripts. */
  source: string
}

export function judgeLures(
  item: Item,
  { markup, written, isDrawing, source }: Page,
  behaviour: Behaviour | null,
  context: Context,
): void {
  const copies = behaviour?.copies ?? false
  // Scripts and notes that only contain some tags ask nobody for anything.
  const isPage = copies || markup.tags.some(({ name }) => PAGE_ELEMENTS.has(name))
  if (!isPage) return
  const built = behaviour?.texts ?? []
  const instructions = `${markup.text} ${built.join(' ')}`
  charge(instructions.length * CHARACTER_WORK)
  const seen = once(() => seenTextOf(written, isDrawing))
  const isWarning = once(() => warns(markup.text) && warnsWhereSeen(seen()))
  const asked = readInstructions(instructions, markup.text, copies, isWarning)
  if (asked === null) return
  const { names, hasPretext, isInstaller, isPretext } = asked
  const isLure = names && hasPretext && !isInstaller && tellsToFetch(markup.text, written, seen) && !isWarning()
  const values = copies ? valuesOf(markup) : []
  const candidates = copies ? [...built, ...values] : []
  const hidden = commandsIn(candidates, [source, ...values])
    .filter((each) => !isInstaller || !isInstallation(each))
    .filter(({ text }) => indexOf(markup.text, text) === -1)
  // A harmless command for another system may precede it.
  const forced = hidden.find((each) => isForced(each, names, isPretext))
  const pasted = forced?.text ?? toldCommand(markup.text, isInstaller, seen)
  if (pasted !== null) context.addFinding(item, { ...WEB.clickFix, detail: describeTarget(pasted.trim()) })
  else if (copies && isLure) context.addFinding(item, { ...WEB.clickFix, detail: null })
  else if (hidden.some(({ command }) => command.isWindows) || isLure)
    context.addFinding(item, { ...WEB.commandCopy, detail: null })
}

/** Longer pages say much that does not belong together. */
export const WHOLE_MAX = 20_000
/** What keeps words of a page from its reader. */
const HIDES_WORDS =
  /<style|\bstyle\s{0,9}=|<[^<>]{0,200}\shidden\b|<(?:template|details|dialog|noscript|select|textarea)\b/i

/** Whether the command is near the keys to press, for a reader who does not see all of the page. */
function tellsToFetch(text: string, written: string, seen: () => SeenText): boolean {
  const isNear = (part: string): boolean => fetches(part) && readsPretext(part)
  if (text.length <= WHOLE_MAX) return fetches(text)
  if (partsAroundKeys(text).some(isNear)) return true
  charge(written.length)
  return HIDES_WORDS.test(written) && fetches(text) && partsAroundKeys(seenWithKeys(seen())).some(isNear)
}

const fetches = (text: string): boolean => findCommand(text)?.isRemote === true
const readsPretext = (text: string): boolean => PRETEXT.test(text) || givesPretext(text)

/** Nobody encodes the address of an installer. */
function toldCommand(text: string, isInstaller: boolean, seen: () => SeenText): string | null {
  const told = pastedWhereSeen(text, seen)
  return told !== null && isInstaller && findCommand(told)?.isEncoded !== true ? null : told
}

function once<T>(compute: () => T): () => T {
  let known: { value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

const PAGE_ELEMENTS = new Set(words('html head body script title iframe a img h1 h2 svg'))

/** The request of a page to its reader, and its pretext; null if none, unless it copies something. The patterns that decide come first. */
function readInstructions(instructions: string, visible: string, copies: boolean, isWarning: () => boolean) {
  const hasKeys = KEYS.test(instructions)
  const names = hasKeys || opensWindow(instructions)
  if (!names && !copies) return null
  const hasPretext = names ? readsPretext(instructions) : PRETEXT.test(instructions)
  // A command that is coded needs no pretext where keys are named.
  if (!hasPretext && !copies && !hasKeys) return null
  const asks = hasKeys || HUMAN.test(instructions) || REPAIR.test(instructions)
  return {
    names,
    hasPretext,
    /** May be the page of a tool. */
    isInstaller: !asks && (INSTALLS.test(visible) || !names),
    isPretext: once(() => names && HUMAN.test(instructions) && !isWarning()),
  }
}

/** A command that fetches code or poses as something else, and of which the reader knows nothing. */
function isForced({ command, text, isBuilt }: Candidate, names: boolean, isPretext: () => boolean): boolean {
  const isUnsafe = command.isRemote || command.isEncoded
  return (
    (isUnsafe && (names || command.isWindows || isBuilt)) || (command.isWindows && isPretext()) || DISGUISED.test(text)
  )
}

const INSTALLS = /\binstall|get started|getting started|quick ?start|\bsetup\b|\bset up\b/i
const HIDES = /-w(?:in\w*)? (?:h|1\b)|-nop\b(?:(?!-nop\b).)*-w|\bhttp:|[%$]temp|\$env:temp/i

/** As makers of tools publish it: in plain text, in a visible window, from a server with a name over https. */
function isInstallation({ command, text, isBuilt }: Candidate): boolean {
  const { isEncoded, isObfuscated, program } = command
  const isPlain = !isBuilt && !isEncoded && !isObfuscated && INSTALLATION_COMMANDS.includes(program)
  return isPlain && !HIDES.test(text) && !DISGUISED.test(text) && !NUMBERED.test(text)
}

/** A server without a name. */
const NUMBERED = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/

interface Candidate {
  command: NonNullable<ReturnType<typeof findCommand>>
  text: string
  /** Decoded by the script: neither it nor the page contains even its beginning. */
  isBuilt: boolean
}

function commandsIn(texts: readonly string[], sources: readonly string[]): Candidate[] {
  return texts.flatMap((text) => {
    const command = text.length < COMMAND_MIN ? null : findCommand(text)
    if (command === null) return []
    const start = text.trim().slice(0, COMMAND_MIN)
    return [{ command, text, isBuilt: !sources.some((source) => indexOf(source, start) !== -1) }]
  })
}

/** Texts of the page that a script may copy. */
function valuesOf({ tags }: Markup): string[] {
  return tags.flatMap(({ name, attributes, content }) => [
    ...(name === 'textarea' ? [content] : []),
    ...[...attributes].flatMap(([key, value]) => (key === 'value' || key.startsWith('data-') ? [value] : [])),
  ])
}
