/** Texts that make their reader run a command (ClickFix): keys that open a window for it, a pretext, and a command that fetches code. */

import { findCommand } from '#inspect/commands/find.ts'
import { charge } from '#inspect/core/work.ts'
import { NAMED, placesIn } from './command-windows.ts'
import { commandIn, runsUnasked } from './commands-to-run.ts'
import { BROKEN_WORDS, FORBIDS, HUMAN_WORDS, PASTES, REPORTS, wordsOf } from './lure-words.ts'
import { withoutQuoted } from './quoted-commands.ts'
import type { SeenText } from './seen-text.ts'

/** Only an attacker checks by a command that the reader is human. */
export const HUMAN =
  /(?:not a|no) robot|(?:are|you're|re) (?:a )?human|human verification|captcha|cloudflare|kein roboter|pas un robot/i
/** The same without names that manuals have as well. */
const CHECKED =
  /(?:not a|no) robot|(?:prove|verify|confirm)[^.]{0,40}(?:are|you're|re) (?:a )?human|human verification/i
/** Something is broken or closed, and the command repairs or opens it. */
export const REPAIR =
  /(?:update|install|repair).{0,40}(?:browser|certificate|font|error)|can ?not be displayed|can't be displayed|fix (?:it|the (?:problem|issue|error|display))/i
/** The same in words that manuals do not have. */
const BROKEN =
  /(?:update|install|repair).{0,40}(?:browser|certificate|font)|(?:can(?: ?no|')t|could(?: no|n')t) be (?:displayed|shown|opened|rendered|loaded)(?!,? because (?:the developer|apple|it (?:is|was) from))|fix the (?:problem|issue|error|display)|missing (?:the |a )?(?:font|extension|plug-?in|component)|(?:extension|viewer|plug-?in|component)[^.]{0,30} is not (?:installed|registered)|(?:could not be|not) verified/i
const CLOSED =
  /(?:document|file|content|message|invoice|meeting) (?:is|was) (?:protected|locked|encrypted|secured|not available)|to (?:view|open|read|unlock|access|join) (?:this|the|your) (?:document|file|content|message|invoice|meeting)|(?:shared|secure|protected) (?:file|document|folder)/i

/** Whether a text warns of such attacks. Attackers name malware and scams themselves; they do not forbid what they ask for. */
export function warns(text: string): boolean {
  charge(text.length * WORDS_WORK)
  return isWarning(wordsOf(text))
}

const isWarning = (words: string): boolean => FORBIDS.test(words) || REPORTS.test(words)

/** Whether a text says that something is broken, closed or to be checked, in any language. */
export function hasPretext(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  const words = wordsOf(text)
  return (
    [CHECKED, BROKEN, CLOSED].some((each) => each.test(text)) || HUMAN_WORDS.test(words) || BROKEN_WORDS.test(words)
  )
}

/** For each character around keys, with all that is searched there, and of a text of which only the words are. */
const CHARACTER_WORK = 20
const WORDS_WORK = 10

/** Characters before and after the keys that belong to the same instructions. */
export const AROUND = 3_000

/** The command; null if the text asks nobody to run one. `between`: what a reader sees of it, unless it is all. */
export function pastedCommand(text: string, between?: SeenText['between']): string | null {
  let places: readonly number[] | undefined
  for (const { named, isNamedOnly } of NAMED) {
    let from = 0
    for (const { index } of named.matches(text)) {
      if (index < from) continue
      from = index + AROUND / 2
      const [start, end] = [Math.max(0, index - AROUND), index + AROUND]
      const near = (): number[] => {
        places ??= placesIn(text)
        charge(places.length)
        return places.filter((place) => place >= start && place < end)
      }
      const command = commandAround(
        text.slice(start, end),
        text,
        isNamedOnly,
        () => between?.(start, end, near()) ?? null,
      )
      if (command !== null) return command
    }
  }
  return null
}

/** The same of a text that readers do not see whole: what nobody sees warns nobody. */
export function pastedWhereSeen(text: string, seen: () => SeenText): string | null {
  // As if nobody warned. What is seen of a long page takes long to find out, and matters only where a warning decides.
  if (pastedCommand(text, () => '') === null) return null
  const command = pastedCommand(text)
  if (command !== null) return command
  const { text: whole, between } = seen()
  return pastedCommand(whole, between)
}

/** Whether readers who see all requests see a warning. */
export const warnsWhereSeen = (seen: SeenText): boolean => warns(seenWithKeys(seen))

/** What readers see who see all requests. */
export const seenWithKeys = ({ text, between }: SeenText): string => between(0, text.length, placesIn(text))

/** Parts of a text around what it names to open or to press. */
export function* partsAroundKeys(text: string): Generator<string> {
  for (const { named } of NAMED) {
    let from = 0
    for (const { index } of named.matches(text)) {
      if (index < from) continue
      from = index + AROUND / 2
      yield text.slice(Math.max(0, index - AROUND), index + AROUND)
    }
  }
}

function commandAround(text: string, whole: string, isNamedOnly: boolean, seen: () => string | null): string | null {
  charge(text.length * CHARACTER_WORK)
  const words = wordsOf(text)
  const isAsked = PASTES.test(words) || runsUnasked(text)
  if (!isAsked || isWarned(words, seen) || findCommand(text) === null) return null
  const isChecked = CHECKED.test(text) || HUMAN_WORDS.test(words)
  const isReason = [HUMAN, BROKEN, CLOSED].some((reason) => reason.test(text)) || BROKEN_WORDS.test(words)
  const isAny = isChecked || (isReason && !(isManual(text) && isManual(seen() ?? text)))
  const pretext = { isChecked, isAny, isNamedOnly }
  const lines = withoutQuoted(text, whole)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !SEARCHED.test(line))
  const pairs = lines.map((line, i) => line + (lines[i + 1] ?? ''))
  return commandIn(lines, pretext) ?? commandIn(pairs, pretext)
}

/** A text that a rule of a scanner searches for, as no shell takes it. */
const SEARCHED =
  /^\s*\$\w{0,40}\s{0,4}=\s{0,4}["/{][^\r\n]{0,1000}["/}][ismx]{0,4}\s{1,9}(?:(?:ascii|wide|nocase|fullword|private|xor|base64|base64wide)\b\s{0,9}){1,6}(?:\/\/.*)?$/

function isWarned(words: string, seen: () => string | null): boolean {
  if (!isWarning(words)) return false
  const part = seen()
  return part === null || warns(part)
}

/** Who gives a choice of ways to install a program has a page of help, which names what may fail as well. */
const PACKAGES =
  /\b(apt|brew|cargo|choco|conda|dnf|docker|flatpak|gem|nix-env|npm|pacman|pipx?|scoop|snap|uv|winget|yum|zypper)(?:-get|3)?\s{1,4}(?:add|get|i|install|pull|run|tool|-S)\b/gi
const PACKAGES_MIN = 2

function isManual(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  return new Set(Array.from(text.matchAll(PACKAGES), ([, name = '']) => name.toLowerCase())).size >= PACKAGES_MIN
}

/** What browsers demand before they accept code in the console. */
const CONSOLE = /\ballow pasting\b/i
/** Longer lines are bundles. */
const CONSOLE_CODE_MAX = 4_000
/** By which sites know their reader. */
export const SESSIONS = ['document.cookie', 'localStorage', 'sessionStorage', 'webpackChunkdiscord_app']
const SESSION = new RegExp(String.raw`\b(?:${SESSIONS.join('|').replaceAll('.', '\\.')})\b`, 'i')
const SENDS =
  /\b(?:fetch|sendBeacon|ajax|post)\s{0,4}\(\s{0,4}["'\x60](?:https?:)?\/\/|\bXMLHttpRequest\b|\.src\s{0,4}=\s{0,4}["'\x60]https?:/

/** Code for the console of a browser that sends away by what the site of the page knows its reader; null if there is none. */
export function pastedTheft(text: string): string | null {
  charge(text.length)
  if (!CONSOLE.test(text)) return null
  charge(text.length * CHARACTER_WORK)
  const isTheft = (line: string): boolean => line.length <= CONSOLE_CODE_MAX && SESSION.test(line) && SENDS.test(line)
  const code = text.split(/[\r\n]+/).find(isTheft)
  return code === undefined || isWarning(wordsOf(text)) ? null : code
}
