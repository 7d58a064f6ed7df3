/** Texts that make their reader run a command (ClickFix): keys that open a window for it, a pretext, and a command that fetches code. */

import { findCommand } from '#inspect/commands/find.ts'
import { createStarts } from '#inspect/core/matcher/starts.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import { FETCHING, FETCHING_METHODS } from '#inspect/windows/powershell.ts'
import { COMMAND_WINDOWS } from '#inspect/windows/programs.ts'
import { BROKEN_WORDS, FORBIDS, HUMAN_WORDS, PASTES, REPORTS, wordsOf } from './lure-words.ts'
import { withoutQuoted } from './quoted-commands.ts'
import type { SeenText } from './seen-text.ts'

/** Where the reader is asked to paste it. Installers name a terminal as well. */
const OPENS = [
  ...['open', 'launch', 'start', 'type', 'choose', 'select', 'search for'],
  // Without letters that have accents, because pages are also read as bytes.
  ...['ffnen sie', 'tippen sie', 'starten sie', 'geben sie', 'ouvrez', 'tapez', 'lancez', 'abra', 'abre', 'abrir'],
  ...['escriba', 'escribe', 'digite', 'apri', 'aprite', 'digita', 'digitare', 'typ', 'uruchom', 'wpisz', 'apra'],
  ...['choisissez', 'elija', 'scelga', 'selecione', 'hlen sie', 'wybierz', 'avaa', 'buka', 'otvorte', 'nyissa meg'],
]
/** Names of the window, where the verb comes behind it, or is written otherwise. As text, and as bytes. */
const WINDOWS = [
  ...['ターミナル', '打开终端', '打开“终端', '終端機', '터미널', 'терминал', 'Терминал', 'термінал', 'Термінал'],
  ...[
    'τερματικό',
    'टर्मिनल',
    '「端末」',
    '端末を開',
    'コマンドプロンプト',
    '命令提示符',
    '명령 프롬프트',
    '终端”',
    '终端」',
    '终端**',
    '终端窗',
  ],
  ...['омандную строку', 'омандний рядок', 'омандного рядка', 'омандной строк'],
]
export const WINDOW_BYTES = WINDOWS.map((name) => Buffer.from(name).toString('latin1'))
/** In other languages the name may stand beside a word with other letters, or in their quotation marks. */
const TERMINAL = createStarts(
  anyCase`${OPENS}\s{1,4}(?:(?:an?|the|your|das|den|die|le|la|el|il|o|de|het|az) )?["'*_\x60]{0,3}(?:${COMMAND_WINDOWS}|file explorer)|(?<=[^\0-\x7f][a-z]{0,12}["' \xa0]{0,2}(?:windows )?)${COMMAND_WINDOWS}(?!\.exe|\s{1,4}[-/\\])|${COMMAND_WINDOWS}(?=['\u2019][a-z]| ?[^\0-\x7f])|${WINDOWS}|${WINDOW_BYTES}`,
  [...OPENS, ...COMMAND_WINDOWS, ...WINDOWS, ...WINDOW_BYTES],
)
/** A window that the reader has, for a command that he is given. Manuals say so as well. */
const ENTERS = ['run', 'paste', 'enter', 'execute']
const ENTERED = createStarts(
  anyCase`\b${ENTERS}\s{1,4}(?:(?:it|this|them|that|(?:the|this)(?: following)? (?:command|line|code))\s{1,4})?(?:in|into|inside)\s{1,4}(?:(?:an?|the|your)\s{1,4})?["'*_\x60]{0,3}${COMMAND_WINDOWS}`,
  ENTERS,
)
/** Between the key of Windows and the other, in languages that use it so. */
const AND = String.raw`(?:\+|\uff0b|\xef\xbc\x8b|and(?: press)?|plus|&|-|und|et|y|e|en|i|oraz)`
/** The key that opens the search of a Mac. */
const SPACE = '(?:space|leertaste|(?:barre d.{1,6})?espace|barra|espacio|spazio|spatie|spacja)'
const KEY_PATTERN = new RegExp(
  [
    String.raw`win(?:dows)?(?:[ -]?[a-z\xc3-\xc5\u0080-\u024f]{3,14})? ?${AND} ?["'(]?[erx]\b`,
    // "Windowsキーを押しながらR"
    String.raw`windows ?[^\0-\x7f]{1,40} ?\+? ?[rx](?![a-z])`,
    String.raw`\brun (?:dialog|box|window)|type (?:["']?run\b|["']?cmd\b)`,
    String.raw`(?:ctrl|control|strg|cmd|command|befehl|\u2318|\xe2\x8c\x98) ?\+ ?(?:v|alt ?\+ ?t|${SPACE})\b`,
    String.raw`address bar|barre d.{1,6}adresse|adressleiste|barra (?:de |degli |dei )?(?:direcciones|indirizz|endere)|adresbalk|pas(?:ek|ku) adresu|(?:ctrl|strg) ?\+ ?l\b`,
  ].join('|'),
  'i',
)
/** Every match of the keys begins with one of these. */
const KEY_WORDS = [
  ...['win', 'run ', 'type ', 'ctrl', 'control', 'strg', 'cmd', 'command', 'befehl', 'address bar', '\xe2\x8c\x98'],
  ...['barre d', 'adressleiste', 'barra d', 'adresbalk', 'pasek a', 'pasku a'],
  ...[' +', '+ ', '+v', '+s', '+l', '+b', '+e'].map((next) => `\u2318${next}`),
]
export const KEYS = createStarts(KEY_PATTERN, KEY_WORDS)
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

const WINDOWS_NAMED = [KEYS, TERMINAL, ENTERED]

export const opensWindow = (text: string): boolean => WINDOWS_NAMED.some((each) => each.test(text))

/** Characters before and after the keys that belong to the same instructions. */
export const AROUND = 3_000

/** The command; null if the text asks nobody to run one. `between`: what a reader sees of it, unless it is all. */
export function pastedCommand(text: string, between?: SeenText['between']): string | null {
  let places: readonly number[] | undefined
  for (const { matches } of WINDOWS_NAMED) {
    const isNamedOnly = matches === ENTERED.matches
    let from = 0
    for (const { index } of matches(text)) {
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
  for (const { matches } of WINDOWS_NAMED) {
    let from = 0
    for (const { index } of matches(text)) {
      if (index < from) continue
      from = index + AROUND / 2
      yield text.slice(Math.max(0, index - AROUND), index + AROUND)
    }
  }
}

const placesIn = (text: string): number[] =>
  WINDOWS_NAMED.flatMap(({ matches }) => [...matches(text)].map(({ index }) => index))

function commandAround(text: string, whole: string, isNamedOnly: boolean, seen: () => string | null): string | null {
  charge(text.length * CHARACTER_WORK)
  const words = wordsOf(text)
  const isAsked = PASTES.test(words) || DETACHED.test(text) || ANSWERED.test(text)
  if (!isAsked || isWarned(words, seen) || findCommand(text) === null) return null
  const isChecked = CHECKED.test(text) || HUMAN_WORDS.test(words)
  const isReason = [HUMAN, BROKEN, CLOSED].some((reason) => reason.test(text)) || BROKEN_WORDS.test(words)
  const isAny = isChecked || (isReason && !(isManual(text) && isManual(seen() ?? text)))
  const pretext = { isChecked, isAny, isNamedOnly }
  const lines = withoutQuoted(text, whole)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
  const pairs = lines.map((line, i) => line + (lines[i + 1] ?? ''))
  return commandIn(lines, pretext) ?? commandIn(pairs, pretext)
}

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

interface Pretext {
  /** Only code that nobody can read counts. */
  isNamedOnly: boolean
  isChecked: boolean
  isAny: boolean
}

function commandIn(lines: readonly string[], pretext: Pretext): string | null {
  return lines.find((line) => line.length >= COMMAND_MIN && isAttack(line, pretext)) ?? null
}

/** Where a text that shows a command to others cuts it off, so that it does nothing. */
const CUT = /(?<!\S)[^\s.\u2026]{16,2000}(?:\.\.\.|\u2026)(?=[\s"')\]]|$)/g
/** What a command of a line acts on: a server by its name, or so much that it may be decoded. */
const SERVER =
  /(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,5}(?!(?:exe|com|dll|ps1|bat|cmd|vbs|js|hta|msi|txt|zip)\b)[a-z]{2,10}\b|\\\\\w/i
const ACTING_MIN = 80

function acts(line: string, program: string): boolean {
  const at = Math.max(0, line.toLowerCase().indexOf(program))
  const sign = line[at - 1] ?? ''
  const end = /["'`]/.test(sign) ? line.indexOf(sign, at) : -1
  const quoted = end === -1 ? '' : line.slice(at, end)
  // A quoted program has its arguments behind it, a quoted command has none.
  const command = quoted.includes(' ') ? quoted : line.slice(at)
  return command.length >= ACTING_MIN || SERVER.test(command)
}

function isAttack(written: string, { isChecked, isAny, isNamedOnly }: Pretext): boolean {
  const line = written.replace(CUT, ' ')
  const command = findCommand(line)
  if (command === null) return false
  if (isNamedOnly) return command.isEncoded && command.isRemote
  // Who explains a command to others does not encode it.
  if (command.isEncoded || (isChecked && command.isWindows && acts(line, command.program))) return true
  const isUnseen = [UNSEEN, DETACHED, SAVED, ANSWERED].some((each) => each.test(line))
  return (command.isRemote && (isAny || isUnseen)) || (command.isWindows && isUnseen && FETCHES.test(line))
}

const COMMAND_MIN = 8
const FETCHES = anyCase`\b(?:${FETCHING}|${FETCHING_METHODS})\b`

/** Saved where every program writes, and started so that it goes on without its window. */
const DETACHED =
  /\s(?:-o|-O|--output)\s{0,4}(\/(?:private\/)?(?:tmp|var\/tmp|dev\/shm|Users\/Shared)\/[\w./-]{1,80})[\s\S]{1,300}\b(?:nohup|setsid|disown)\b[\s\S]{0,60}\1/

/** Saved where every program of Windows writes, and started at once. */
const SAVED = anyCase`\s(?:-o|--output|-outfile|-destination)\s{1,4}["']?((?:%|\$env:)${WRITABLE_VARIABLES}%?\\[^\s"'&;|]{1,80})[\s\S]{1,200}?\1`

/** A loop over what a server answers, which is run. */
const ANSWERED = /\bin \(['"\x60]\s?(?:curl|finger|nslookup)\b[^()]{1,300}\) ?do (?:call |cmd \/c )?@?%{1,2}\w/i

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

/** Out of sight, or from a server without a name. */
const UNSEEN =
  /-w(?:in\w*)? {1,4}(?:h|1\b)|--headless|(?<![\w.])(?!(?:10|127|192\.168)\.)(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|["')\s]#\s{0,200}[^\r\n]{0,80}(?:robot|captcha|verif|human|[a-z]:\\)/i
