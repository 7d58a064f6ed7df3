/** Follows what a PowerShell script fetches or decodes to the place where it is run as code. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { FUNCTION, type Statement } from '#inspect/programs/shells/powershell/splitting.ts'
import { isBareAddress } from '#inspect/targets/targets.ts'
import { CLIENTS, FETCHING, RUNNING } from '#inspect/windows/powershell.ts'
import { POWERSHELLS } from '#inspect/windows/programs.ts'
import { isDisguise, isThrowaway } from './downloads.ts'

export interface Flow {
  /** The addresses of text that is fetched and run; an empty text where the script does not contain it. */
  fetched: readonly string[]
  /** Runs text that it decodes. */
  runsDecoded: boolean
}

/** Kinds of values, as bits. */
const FETCHED = 1
const DECODED = 2
/** An object that fetches. */
const CLIENT = 4
/** The name of a command that runs text. */
const RUNNER = 8

const FETCH = anyCase`\bdownload(?:string|data)\w*|(?<![\w-])${FETCHING}(?![\w-])|\bget(?:string|bytearray)async\b|(?<![\w.$\\/-])(?:curl|wget)(?:\.exe)?["']?\s|\bopenread\s{0,2}\(|getresponsestream|\bresponsetext\b`
const WEB_CLIENT = anyCase`${CLIENTS}`
/** Data that becomes code. Administrators decode passwords and answers of servers so, but do not run them. */
const DECODE =
  /frombase64string|-bxor\b|\[convert\]::to(?:byte|u?int(?:16|32)|char)\s{0,2}\(|\[char\[\]\]|\[char\]\s{0,2}\(?\s{0,2}(?:\[\w+\]\s{0,2}\(?)?["']?\$|\[char\[\]\]|deflatestream|gzipstream|\[\s{0,4}-1\s{0,4}\.\.|\[array\]::reverse|\.reverse\s{0,2}\(|\.getpixel\s{0,2}\(/i
const RUN = anyCase`(?<![\w-])${RUNNING}(?![\w-])|scriptblock\]::create|\.invokescript\s{0,2}\(|\.newscriptblock\s{0,2}\(|assembly\]::(?:load)?\s{0,2}\(|\b(?:currentdomain|getdomain\s{0,2}\(\s{0,2}\))\.(?:load|\$\w+)\s{0,2}\(|\.invoke\s{0,2}\(\s{0,2}\$null\s{0,2},\s{0,2}\(\s{0,2},|(?<![\w$)\]"'.])[&.]\s{0,2}\(|\]::\(|\b${POWERSHELLS}(?:\.exe)?["']?\s[^|]{0,200}-c(?:ommand)?\s{1,4}["']?[$(]`
const NAME_OF_RUNNER = anyCase`^["'(\s]*${RUNNING}["')\s]*$`
const ASSIGNMENT =
  /^[\s(]{0,40}(?:\[[\w.]{1,80}(?:\[\])?\]\s{0,4}){0,4}\$\{?((?:\w+:)?\w+)\}?(?:[.[][^=\r\n]{0,200})?\s*(?:\+|-|\*|\?\?)?=(?!=)\s*([\s\S]*)$/i
const SET_VARIABLE =
  /^\s*(?:set-variable|sv|set|new-variable|nv|set-alias|sal|new-alias|nal)\s+(?:-(?:name|n)\s+)?["']?([\w:-]+)["']?\s+([\s\S]+)$/i
/** A list that something is added to. */
const ADDITION =
  /^[\s(]{0,40}(?:\[void\]\s{0,4})?\$\{?((?:\w+:)?\w+)\}?\.(?:add|addrange|append|write)\s{0,2}\(([\s\S]*)$/i
const EACH = /^\s*foreach\s*\(\s*\$(\w+)\s+in\s+([\s\S]*)$/i
const VARIABLE = /[$@]\{?((?:\w+:)?\w+)\}?|(?:get-variable|gv|get-item|gi)\s+(?:-name\s+)?["']?(?:variable:)?(\w+)/gi
const WORD = /(?<![\w$.-])[a-z][\w-]{0,60}(?![\w-])/gi
/** A member whose name the script computes. */
const COMPUTED = /\.\s{0,2}(?:\$|\(|["'])/
const URL_TEXT = /(?:https?|ftp):[\\/]{2}[^\s"'<>|)`]{1,2000}/gi

/** Rounds in which values pass on from one name to the next; a chain in the order of the script, or against it, takes one. */
const ROUNDS_MAX = 16
const STATEMENT_WORK = 30_000
const RUN_WORK = 40
const STEP_WORK = 2_000
const PARAMETER_WORK = 200
const CHARACTER_WORK = 200
const NAME_BYTES = 120
/** Characters of a statement that are followed. */
export const STATEMENT_MAX = 200_000

interface Value {
  kinds: number
  urls: readonly string[]
}

const NOTHING: Value = { kinds: 0, urls: [] }
export const URLS_MAX = 8

/** Of many addresses, those by which attackers differ. */
export function worstUrls(urls: readonly string[]): string[] {
  const all = [...new Set(urls)]
  if (all.length <= URLS_MAX) return all
  const rank = (url: string): number =>
    isBareAddress(url) || isThrowaway(url) ? 0 : isDisguise(url) ? 1 : /^(?:http|ftp):/i.test(url) ? 2 : 3
  return all.sort((a, b) => rank(a) - rank(b)).slice(0, URLS_MAX)
}

/** The names of a script, with what they may stand for. Every value that a name is given counts, whatever the order. */
function createNames(statements: readonly Statement[]) {
  const values = new Map<string, Value>()
  /** Of functions and other names for commands, with the keys of the parameters. */
  const commands = new Map<string, string[]>()
  /** Variables that a function gives a value itself. */
  const own = new Set<string>()
  let isChanged = false

  const keyOf = (name: string, inside: string): string =>
    `${inside}$${name.toLowerCase().replace(/^(?:script|local|private|using):/, '')}`

  function declare({ text, inside }: Statement): void {
    const [, called, params = ''] = FUNCTION.exec(text) ?? []
    if (called !== undefined) declareParameters(called.toLowerCase(), params)
    if (inside === '') return
    const name = ASSIGNMENT.exec(text)?.[1] ?? EACH.exec(text)?.[1]
    if (name !== undefined) own.add(keyOf(name, inside))
    if (/^\s*param\b/i.test(text)) declareParameters(inside, text)
  }

  function declareParameters(command: string, text: string): void {
    const keys = [...text.matchAll(/\$(\w+)/g)].map(([, name = '']) => keyOf(name, command))
    keep(NAME_BYTES * (keys.length + 1))
    for (const key of keys) own.add(key)
    commands.set(command, [...(commands.get(command) ?? []), ...keys])
  }

  /** A variable of the function, or else of the script. */
  function keyIn(name: string, inside: string): string {
    const key = keyOf(name, inside)
    return own.has(key) ? key : keyOf(name, '')
  }

  for (const statement of statements) declare(statement)

  return {
    keyIn,
    isOwn: (name: string, inside: string): boolean => inside !== '' && own.has(keyOf(name, inside)),
    commandsIn: (text: string): string[] =>
      commands.size === 0
        ? []
        : (text.match(WORD) ?? []).map((word) => word.toLowerCase()).filter((word) => commands.has(word)),
    parametersOf: (command: string): readonly string[] => commands.get(command) ?? [],
    nameRunner(name: string): void {
      if (!commands.has(name)) commands.set(name, [])
      this.add(name, { kinds: RUNNER, urls: [] })
    },
    add(key: string, { kinds, urls }: Value): void {
      const known = values.get(key) ?? NOTHING
      const all = worstUrls([...known.urls, ...urls])
      if ((known.kinds | kinds) === known.kinds && all.every((each) => known.urls.includes(each))) return
      keep(NAME_BYTES)
      values.set(key, { kinds: known.kinds | kinds, urls: all })
      isChanged = true
    },
    get: (key: string): Value => values.get(key) ?? NOTHING,
    /** Since it was asked last. */
    changed(): boolean {
      const was = isChanged
      isChanged = false
      return was
    },
  }
}

type Names = ReturnType<typeof createNames>

/** A statement, with what its text says by itself. */
interface Step {
  inside: string
  /** The variable that it sets. */
  target: string | null
  /** The value of the variable, or the effect of the statement. */
  given: Mentions
  /** Functions that it calls. */
  calls: readonly string[]
  runs: boolean
  /** Runs a parameter of its function. */
  runsOwn: boolean
  isDeclaration: boolean
  isPiped: boolean
}

interface Mentions extends Value {
  keys: readonly string[]
  /** Calls a member whose name is computed. */
  isComputed: boolean
}

function mentionsIn(text: string, inside: string, names: Names): Mentions {
  const keys = [...text.matchAll(VARIABLE)].map(([, name, other]) => names.keyIn(name ?? other ?? '', inside))
  keep(NAME_BYTES * keys.length)
  return {
    kinds: (FETCH.test(text) ? FETCHED : 0) | (DECODE.test(text) ? DECODED : 0) | (WEB_CLIENT.test(text) ? CLIENT : 0),
    urls: worstUrls(text.match(URL_TEXT) ?? []),
    keys: [...new Set([...keys, ...names.commandsIn(text)])],
    isComputed: COMPUTED.test(text),
  }
}

function readStep({ text, inside }: Statement, names: Names): Step {
  const [, name, given] = ASSIGNMENT.exec(text) ?? EACH.exec(text) ?? ADDITION.exec(text) ?? []
  const [, setName, setTo] = SET_VARIABLE.exec(text) ?? []
  if (setName !== undefined && NAME_OF_RUNNER.test(setTo?.replace(/^-value\s+/i, '') ?? ''))
    names.nameRunner(setName.toLowerCase())
  const target = name === undefined ? setName : name
  const runs = RUN.test(text)
  return {
    inside,
    target: target === undefined ? null : names.keyIn(target, name === undefined ? '' : inside),
    given: mentionsIn(given ?? setTo ?? text, inside, names),
    calls: names.commandsIn(text),
    runs,
    runsOwn: runs && [...text.matchAll(VARIABLE)].some(([, each = '']) => each === 'args' || names.isOwn(each, inside)),
    isDeclaration: FUNCTION.test(text),
    isPiped: /(?:[|%]|\bforeach(?:-object)?)$/i.test(text.trimEnd()),
  }
}

function valueIn({ kinds, urls, keys, isComputed }: Mentions, names: Names): Value {
  const parts = keys.map(names.get)
  const all = parts.reduce((sum, value) => sum | value.kinds, kinds)
  return {
    kinds: all & CLIENT && isComputed ? all | FETCHED : all,
    urls: worstUrls([...urls, ...parts.flatMap((value) => value.urls)]),
  }
}

/** Gives the names of a statement what they stand for. */
function follow({ inside, target, given, calls, runs, runsOwn, isPiped }: Step, names: Names): void {
  const value = valueIn(given, names)
  for (const command of calls) {
    const parameters = names.parametersOf(command)
    charge(parameters.length * PARAMETER_WORK)
    for (const parameter of parameters) names.add(parameter, value)
  }
  if (target !== null) {
    names.add(target, value)
    return
  }
  if (isPiped) names.add(names.keyIn('_', ''), value)
  if (inside === '') return
  // A function returns whatever it does not keep. One that runs its parameter is a name for that.
  if (runsOwn) names.nameRunner(inside)
  if (!runs && !(value.kinds & RUNNER))
    names.add(inside, { kinds: value.kinds & (FETCHED | DECODED), urls: value.urls })
}

/** Most scripts run no text. */
export function followData(statements: readonly Statement[]): Flow {
  const cut = statements.map(({ text, inside }) => ({ text: text.slice(0, STATEMENT_MAX), inside }))
  for (const { text } of cut) charge((1 + text.length) * RUN_WORK)
  if (!cut.some(({ text }) => RUN.test(text))) return { fetched: [], runsDecoded: false }
  for (const { text } of cut) charge(STATEMENT_WORK + text.length * CHARACTER_WORK)
  const names = createNames(cut)
  const steps = cut.map((statement) => readStep(statement, names)).filter(({ isDeclaration }) => !isDeclaration)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (const step of round % 2 === 0 ? steps : steps.toReversed()) {
      charge(STEP_WORK * (1 + step.given.keys.length))
      follow(step, names)
    }
    if (!names.changed()) break
  }
  const run = steps
    .map(({ runs, given }) => ({ runs, ...valueIn(given, names) }))
    .filter(({ runs, kinds }) => runs || kinds & RUNNER)
  return {
    fetched: run.filter(({ kinds }) => kinds & FETCHED).flatMap(({ urls }) => (urls.length === 0 ? [''] : urls)),
    runsDecoded: run.some(({ kinds }) => kinds & DECODED),
  }
}
