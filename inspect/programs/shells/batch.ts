/** Resolves the variables of batch files, from whose pieces obfuscated ones put their commands together. */

import { split } from '#inspect/core/search.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { VARIABLES } from '#inspect/windows/folders.ts'
import { readLoop } from './batch-loops.ts'

/** The longest line that Windows runs. */
export const LINE_MAX = 8_191
const LINE_WORK = 16_000
const CHARACTER_WORK = 40
const LINE_BYTES = 100
const REPLACE_WORK = 4

const VARIABLE = /%([^%:=\s][^%:=]{0,60}?)(?::([^%]{1,200}))?%|!([^!:=\s][^!:=]{0,60}?)(?::([^!]{1,200}))?!/g
/** Before those with delayed expansion. */
const EARLY = /%%|%([^%:=\s][^%:=]{0,60}?)(?::([^%]{1,200}))?%/g
const SET = /^[\s@(]*(?:call\s+)?set\s+(?!\/)"?([^="]{1,60})=([^\r\n]*)/i
/** Also behind a condition. */
const SET_ANYWHERE = /(?:^|[\s@(&|])set\s+(?!\/)"?([^="]{1,60})=([^\r\n]*)/i
/** Up to an `&` outside quotes. */
const STATEMENT = /(?:[^&"]|"[^"]*(?:"|$))+/g
const CONDITION = /^[\s@()]*(?:if|else)\b|&&|\|\|/i
/** A variable inside a word that nothing set, and that no computer has. */
const UNSET = /(?<=[\w.:\\/-])%(?!\d)[^%:=\s]{1,60}%(?=[\w.:\\/-])/g
/** From here on, a line may be passed over. */
const JUMP = /^[ \t\v\f@(]*(?:goto|exit|call\s+:)\b/im
/** Readings of a script with jumps. */
const PASSES = 2
const LOOP = /^[\s@]*for\s[^()\r\n]{0,200}%%(\w)\s+in\s/i
/** Of a loop, in a block. */
const LETTER = /%%(?:~[a-z$]{0,8}?)?([a-z])(?![\w%])/gi
/** Values that a variable may have where a line is run. */
export const ALTERNATIVES_MAX = 32
/** Memory for each character of the lines until they are judged. */
const COPIES = 4

/** `call :label a b` runs the lines after the label with arguments. */
const CALL = /^[\s@(]*call\s+:[^\s,;=]+[\s,;=]+([^\s,;=].*)/i
const CALL_ANYWHERE = /\bcall\s+:/i
const ARGUMENT = /%(?:~[a-z$]{0,8})?([1-9*])/gi

/** All of them in one, and then each. */
function argumentsIn(statement: string): string[] {
  const given = CALL.exec(statement)?.[1]
  if (given === undefined) return []
  charge(given.length * CHARACTER_WORK)
  const each = given.match(/"[^"]*"?|[^\s,;="]+/g) ?? []
  return [given, ...each.map((value) => value.replaceAll('"', ''))]
}

/** The last value is the most likely one. */
type Variables = Map<string, readonly string[]>

/** The lines as they are run, without carets, once for each value of a variable. Unknown variables stay as they are. */
export function expandBatch(source: string): string {
  const variables: Variables = new Map([...VARIABLES].map(([name, value]) => [name, [value]]))
  const lines = new Set<string>()
  const calls = CALL_ANYWHERE.test(source)
  const loops = /%%\w\s+in\s/i.test(source)
  // Variables set in between count no longer after it.
  let [depth, isUncertain] = [0, /^[ \t@(]*endlocal\b/im.test(source)]

  function add(line: string): void {
    // Later readings know more, and what is run comes behind what it is made of.
    if (lines.delete(line)) {
      lines.add(line)
      return
    }
    keep(LINE_BYTES + line.length * COPIES)
    lines.add(line)
  }

  function run(written: string): void {
    const given = calls ? written.replace(ARGUMENT, '%argument-$1%') : written
    const line = lateExpanded(loops ? given.replace(LETTER, inBlock) : given).slice(0, LINE_MAX)
    charge(LINE_WORK + line.length * CHARACTER_WORK)
    if (loops && runLoop(line)) return
    if (CALLED.test(line) && line.includes('%%')) {
      run(early(line).replaceAll('%%', '%'))
      return
    }
    if (/^[\s@]*\)/.test(line)) depth = Math.max(0, depth - 1)
    execute(line, isUncertain || depth > 0 || CONDITION.test(line))
    if (line.trimEnd().endsWith('(')) depth++
    isUncertain ||= JUMP.test(line)
  }

  /** Without the variables that are replaced when a line is read. */
  const early = (line: string): string => expandOnce(line, (name) => variables.get(name)?.at(-1), EARLY)

  /** Each turn of a loop for itself. Those of a block are not told apart. */
  function runLoop(line: string): boolean {
    const letter = LOOP.exec(line)?.[1]?.toLowerCase()
    if (letter === undefined) return false
    variables.delete(`loop-${letter}`)
    const loop = readLoop(early(line))
    const isBlock = loop?.body.trim() === '('
    for (const [at, turn] of loop?.turns.entries() ?? [])
      if (isBlock) setTurn(turn, at > 0)
      else run(withTurn(loop?.body ?? '', turn))
    return loop !== null && !isBlock
  }

  function setTurn(turn: ReadonlyMap<string, string>, isOther: boolean): void {
    for (const [name, value] of turn) setValue(`loop-${name}`, value, variables, isOther)
  }

  const inBlock = (whole: string, letter: string): string =>
    variables.has(`loop-${letter.toLowerCase()}`) ? `%loop-${letter.toLowerCase()}%` : whole

  function execute(line: string, isOptional: boolean): void {
    for (const [index, expanded] of expansions(line, variables).entries()) {
      add(expanded)
      const isOther = isOptional || index > 0
      for (const statement of expanded.match(STATEMENT) ?? []) assign(statement, variables, isOther)
    }
  }

  const written = inOrder(source.replace(/\^\r?\n/g, '').split(/\r?\n|\r/)).map(withoutCarets)
  // A part that is called, or a loop of jumps, gives variables their values below the lines that use them.
  for (let pass = 0; pass < (JUMP.test(source) ? PASSES : 1); pass++) for (const line of written) run(line)
  return [...lines].join('\n')
}

const GOTO = /^[ \t\v\f@]*goto(?:[ \t]*:)?[ \t]*([^\s:&|]{1,100})[ \t]*$/i
/** For each line in which a label is looked for. */
const LABEL_WORK = 500
const LABEL = /^[ \t]*:[ \t]*([^\s:&|]{1,100})/

/** The first line of each name. */
function labelsOf(lines: readonly string[]): Map<string, number> {
  const labels = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    charge(LABEL_WORK)
    const label = LABEL.exec(line)?.[1]?.toLowerCase()
    if (label === undefined || labels.has(label)) continue
    keep(LINE_BYTES)
    labels.set(label, index)
  }
  return labels
}

/** Blocks that are open behind the line. */
function depthAfter(line: string, depth: number): number {
  const closed = /^[\s@]*\)/.test(line) ? Math.max(0, depth - 1) : depth
  return line.trimEnd().endsWith('(') ? closed + 1 : closed
}

/** As jumps without a condition lead from one part to another, and then what no jump leads to. Each line once. */
function inOrder(lines: readonly string[]): string[] {
  const labels = labelsOf(lines)
  if (labels.size === 0) return [...lines]
  keep(lines.length * LINE_BYTES)
  const left = new Map(lines.entries())
  const found: string[] = []
  for (const start of lines.keys()) {
    let depth = 0
    let at = start
    for (let line = left.get(at); line !== undefined; line = left.get(at)) {
      left.delete(at)
      found.push(line)
      depth = depthAfter(line, depth)
      const target = depth > 0 ? undefined : GOTO.exec(line)?.[1]?.toLowerCase()
      at = target === undefined ? at + 1 : (labels.get(target) ?? lines.length)
    }
  }
  return found
}

/** With the values of one turn. */
function withTurn(body: string, turn: ReadonlyMap<string, string>): string {
  let text = body
  for (const [letter, value] of turn)
    text = replaced(replaced(text, `%%~${letter}`, value.replaceAll('"', '')), `%%${letter}`, value)
  return text
}

/** `call` expands variables a second time. */
const CALLED = /^[\s@(]*call\s/i
const lateExpanded = (line: string): string =>
  CALLED.test(line) ? line.replace(/%%(\w[\w.-]{0,60})%%/g, '%$1%') : line

const TOKEN = '(?:"[^"]{0,200}"|[^\\s="]{1,200})'
const OPERATOR = '(?:\\s*==\\s*|\\s+(?:equ|neq|lss|leq|gtr|geq)\\s+)'
/** Conditions, and what depends on them. */
const IF = new RegExp(
  `^[\\s@()]*(?:else\\s+)?(?:if\\s+(?:/i\\s+)?(?:not\\s+)?(?:(?:exist|defined|errorlevel)\\s+${TOKEN}|${TOKEN}${OPERATOR}${TOKEN})\\s+)+(\\S.*)`,
  'i',
)

/** The lines as if both ways of every condition were taken. */
export function withoutConditions(lines: string): string {
  charge(lines.length * CHARACTER_WORK)
  return lines
    .split('\n')
    .flatMap((line) => IF.exec(line)?.[1]?.split(/\)\s{0,9}else\s{0,9}\(/i) ?? [line])
    .map((line) => line.replace(/^[(\s]{1,9}|(?<!\s)\)$/g, ''))
    .join('\n')
}

/** A caret escapes the next character, except in quotes. */
function withoutCarets(line: string): string {
  return line.replace(/"[^"]*"|\^(.?)/g, (text, next?: string) => (text.startsWith('"') ? text : (next ?? '')))
}

/** No longer than a line may be: a short list can name itself often. */
function replaced(text: string, search: string, value: string): string {
  charge(text.length * CHARACTER_WORK)
  const fits = Math.max(1, Math.ceil(LINE_MAX / Math.max(1, value.length)))
  const pieces = split(text, search)
  const kept = pieces.slice(0, fits).join(value)
  charge(kept.length * CHARACTER_WORK)
  return pieces.length <= fits ? kept : kept.slice(0, LINE_MAX)
}

/** A value that may not be given leaves the others possible. */
function assign(statement: string, variables: Variables, isOptional: boolean): void {
  for (const [at, value] of argumentsIn(statement).entries()) {
    setValue(`argument-${at === 0 ? '*' : at}`, value, variables, true)
    // `shift` makes each of them the first.
    if (at > 0) setValue('argument-1', value, variables, true)
  }
  for (const part of isOptional ? statement.split(OTHERWISE) : [statement]) assignIn(part, variables, isOptional)
}

const OTHERWISE = /\)\s{0,9}else\s{0,9}(?=\()/i

function assignIn(statement: string, variables: Variables, isOptional: boolean): void {
  const [, name, value] = (isOptional ? SET_ANYWHERE : SET).exec(statement) ?? []
  if (name === undefined || value === undefined) return
  const plain = value
    .replace(/"\s*$/, '')
    .replace(isOptional ? /(?<!\s)\s*\)\s*(?:else\b[\s\S]*)?$/i : /(?<!\s)\s+\)$/, '')
    .replaceAll('%%', '%')
    .replace(/"\s*$/, '')
  setValue(name.trim().toLowerCase(), plain, variables, isOptional)
}

function setValue(key: string, plain: string, variables: Variables, isOptional: boolean): void {
  const before = variables.get(key) ?? []
  if (before.at(-1) === plain) return
  keep(key.length + plain.length * COPIES)
  const kept = isOptional ? before.filter((each) => each !== plain).slice(-ALTERNATIVES_MAX + 1) : []
  variables.set(key, [...kept, plain])
}

/** The line with the last values, and with each other value in turn. */
function expansions(line: string, variables: Variables): string[] {
  const found = [expand(line, variables, null)]
  for (const name of new Set(
    Array.from(line.matchAll(VARIABLE), ([, early, , late]) => (early ?? late ?? '').toLowerCase()),
  ))
    for (const value of (variables.get(name) ?? []).slice(0, -1)) {
      charge(LINE_WORK)
      found.push(expand(line, variables, { name, value }))
    }
  const plain = found[0]?.replace(UNSET, '')
  if (plain !== undefined && plain !== found[0]) found.push(plain)
  return found
}

/** A variable with delayed expansion may name another one in its offset. */
function expand(line: string, variables: Variables, other: { name: string; value: string } | null): string {
  const lookUp = (name: string): string | undefined =>
    name === other?.name ? other.value : variables.get(name)?.at(-1)
  const early = expandOnce(line, lookUp, EARLY)
  return early.includes('!') ? expandOnce(expandOnce(early, lookUp), lookUp) : expandOnce(early, lookUp)
}

/** Windows runs no longer line, so that the rest is left away before it is built. */
function expandOnce(text: string, lookUp: (name: string) => string | undefined, pattern = VARIABLE): string {
  let out = ''
  let last = 0
  for (const { 0: whole, 1: name, 2: change, 3: late, 4: lateChange, index } of text.matchAll(pattern)) {
    const value = lookUp((name ?? late ?? '').toLowerCase())
    out += text.slice(last, index) + (value === undefined ? whole : changed(value, change ?? lateChange))
    charge(CHARACTER_WORK * (whole.length + (value?.length ?? 0)))
    last = index + whole.length
    if (out.length > LINE_MAX) return out.slice(0, LINE_MAX)
  }
  return (out + text.slice(last)).slice(0, LINE_MAX)
}

/** `~2,3` is a part of the value; `a=b` replaces all `a`. */
function changed(value: string, change: string | undefined): string {
  if (change === undefined) return value
  const [, from, count] = /^~(-?\d{1,5})?(?:,(-?\d{1,5}))?$/.exec(change) ?? []
  if (change.startsWith('~')) return partOf(value, Number(from ?? 0), count === undefined ? null : Number(count))
  const [, old, replacement = ''] = /^\*?([^=]+)=(.*)$/.exec(change) ?? []
  if (old === undefined) return value
  charge(value.length * (1 + replacement.length) * REPLACE_WORK)
  const pattern = new RegExp(old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return value.replace(pattern, () => replacement).slice(0, LINE_MAX)
}

function partOf(value: string, from: number, count: number | null): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from
  if (count === null) return value.slice(start)
  return count < 0 ? value.slice(start, Math.max(start, value.length + count)) : value.slice(start, start + count)
}
