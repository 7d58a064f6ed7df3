/** Reads Visual Basic and VBScript programs: what they do, and with which arguments. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'
import { POWERSHELLS } from '#inspect/windows/programs.ts'
import { type Effect, effectOf, isTelling } from './effects.ts'
import { inertClasses } from './inert.ts'
import { createMachine, type Machine } from './machine.ts'
import { decodesText } from './obfuscation.ts'
import { type Import, type Module, type Program, readProgram, type Source } from './program.ts'
import { reachable } from './reach.ts'
import { AUTOMATIC, CALLED, CANDIDATES, LINES_MAX, READ, UNTAKEN } from './state.ts'
import type { StoredValues } from './stored-values.ts'
import { joinLines, tokensOf } from './tokens.ts'
import { isAutomatic, isAutomaticModule, needsUser } from './triggers.ts'
import { hasPartFrom, withoutGaps } from './values.ts'

export interface BasicEffect extends Effect {
  /** Happens without a click, as far as can be told. */
  isAutomatic: boolean
  /** Happens only when the user changes, prints or double-clicks something, or answers a question. */
  needsUser?: boolean
  /** The procedure in which it happens, in lower case. */
  procedure: string
}

export interface BasicReading {
  effects: readonly BasicEffect[]
  /** Procedures that run by themselves. */
  triggers: readonly string[]
  /** Names in procedures that run by themselves. */
  mentions: ReadonlySet<string>
  /** Functions of libraries that the program declares and mentions, as far as they matter. */
  imports: readonly Import[]
  /** Texts of the document that the program read. */
  storedTexts: readonly string[]
  /** Lines that it writes to files; null: too many. */
  lines: readonly string[] | null
  /** A limit ended the evaluation of code that runs by itself, or a part of it was not parsed. */
  isIncomplete: boolean
  /** The part that was not evaluated may start programs. */
  mayExecute: boolean
  /** Some of it was not parsed or evaluated, and may run by itself. */
  isCut: boolean
}

interface Options {
  /** Scripts run from top to bottom; macros run by the names of their procedures. */
  isScript?: boolean
  /** Further procedures that run by themselves, such as callbacks of a ribbon. */
  triggers?: readonly string[]
  /** Values that the document stores where macros read them. */
  stored?: StoredValues
}

/** Programs in texts of programs. */
export const NESTING_MAX = 3
/** Texts that are read as programs. */
export const CODE_TEXTS_MAX = 20

/** For every reading, however short the program is. */
const READING_WORK = 350_000

export function readBasic(modules: readonly Module[], options: Options = {}): BasicReading {
  return readNested(modules, options, 0)
}

function readNested(
  modules: readonly Module[],
  { isScript = false, triggers = [], stored = {} }: Options,
  level: number,
): BasicReading {
  const classes = isScript ? inertClasses(modules.flatMap(({ text }) => tokensOf(joinLines(text)))) : null
  if (classes !== null) return inertReading(classes)
  charge(READING_WORK)
  const program = readProgram(modules)
  const machine = createMachine(program, isTelling, stored)
  const { starts, opened, reached } = runAutomatic(program, machine, isScript, triggers)
  const isIncomplete = machine.state.incomplete || program.unparsed() > 0
  const isUnseen = program.unparsed() > 0 || machine.state.isOverfull
  // Code that is not concealed shows what it calls, however long it runs.
  const mayHide = (pattern: RegExp): boolean =>
    isIncomplete && acting(pattern, program, reached, isScript).some((each) => isUnseen || conceals(each, program))
  const mayExecute = mayHide(EXECUTES)
  const mayAct = mayHide(ACTS)
  callOthers(program, machine)
  const isOpened = (procedure: string): boolean => opened.has(procedure) || (isScript && procedure === '')
  const effects = effectsOf(machine, (procedure) => isOpened(procedure) || reached.has(procedure), isOpened)
  const texts = new Set(machine.state.codeTexts)
  const inner = level >= NESTING_MAX ? [] : readTexts(texts, level)
  const isUnread =
    program.unparsed() > 0 || [...texts].slice(inner.length).some((text) => EXECUTES.test(text) || ACTS.test(text))
  const runs = isScript || starts.length > 0
  return {
    effects: [...effects, ...inner.flatMap((each) => each.effects)],
    triggers: starts,
    mentions: allMentions(program, reached),
    imports: [...usedImports(program), ...inner.flatMap(({ imports }) => imports)],
    storedTexts: [...machine.state.readTexts],
    lines: machine.state.lines.length < LINES_MAX ? machine.state.lines : null,
    mayExecute: mayExecute || inner.some((each) => each.mayExecute),
    isCut: mayAct || effects.some(isInDoubt) || program.isCut || (isUnread && runs) || inner.some((each) => each.isCut),
    isIncomplete: isIncomplete || isUnread || inner.some((each) => each.isIncomplete),
  }
}

function inertReading(classes: readonly string[]): BasicReading {
  const effects = classes.map((name) => ({
    ...({ kind: 'object', text: name.toLowerCase(), name: 'createobject' } as const),
    isAutomatic: true,
    procedure: '',
  }))
  return {
    effects,
    triggers: [],
    mentions: new Set<string>(),
    imports: [],
    storedTexts: [],
    lines: [],
    isIncomplete: false,
    mayExecute: false,
    isCut: false,
  }
}

type Test = (procedure: string) => boolean

/** `...` stands for an unknown text. */
const UNKNOWN_LENGTH = 3

interface Reach {
  starts: readonly string[]
  /** Procedures that run when the document opens or closes. */
  opened: ReadonlySet<string>
  /** Procedures that run by themselves. */
  reached: ReadonlySet<string>
}

function runAutomatic(program: Program, machine: Machine, isScript: boolean, triggers: readonly string[]): Reach {
  // In a script, what is named outside procedures is one variable everywhere.
  if (isScript) machine.declare([...program.outsideNames].filter((name) => isShared(name, program)))
  // Outside procedures, macros only have declarations.
  machine.run(
    isScript ? program.outside : program.outside.filter(({ kind }) => kind === 'assign' || kind === 'dimension'),
  )
  const starts = startsOf(program, triggers)
  const opening = starts.filter((name) => !needsUser(name))
  for (const name of opening) callAll(program, machine, name)
  // Names that are built at run time are only known from calls.
  const opened = reachable(program, [...opening, ...machine.state.visited])
  for (const name of starts) if (!opened.has(name)) callAll(program, machine, name)
  const reached = reachable(program, [...starts, ...machine.state.visited])
  for (const name of reached) if (!machine.state.visited.has(name)) callAll(program, machine, name)
  runCandidates(program, machine, reached)
  runUntaken(program, machine, reached, isScript)
  return { starts, opened, reached }
}

const isShared = (name: string, { assigned, procedures }: Program): boolean => {
  charge(SEARCH_WORK)
  return assigned.has(name) && !procedures.has(name)
}

/** Past the steps for all code, procedures with calls that matter are each run for themselves. */
function runCandidates({ procedures }: Program, machine: Machine, reached: Iterable<string>): void {
  if (!machine.isExhausted()) return
  machine.grant(CANDIDATES)
  for (const name of reached)
    for (const source of procedures.get(name) ?? [])
      if (!machine.state.visited.has(name) && (EXECUTES.test(source.text) || ACTS.test(source.text)))
        machine.call(source)
  machine.grant(AUTOMATIC)
}

/** A condition that was evaluated wrongly must not hide a call. */
function runUntaken({ procedures }: Program, machine: Machine, reached: Iterable<string>, isScript: boolean): void {
  machine.grant(UNTAKEN)
  if (isScript) machine.runUntaken(null)
  for (const name of reached) for (const source of procedures.get(name) ?? []) machine.runUntaken(source)
  machine.grant(AUTOMATIC)
}

function effectsOf(machine: Machine, isAuto: Test, isOpened: Test): BasicEffect[] {
  const { recorded } = machine.state
  keep(recorded.length * 200)
  return recorded.flatMap((call) => {
    const effect = effectOf(call)
    if (effect === null || (call.isUntaken && withoutGaps(effect.text).length <= UNKNOWN_LENGTH)) return []
    const needsAnyone = call.isAsked || !isOpened(call.by)
    return [{ ...effect, isAutomatic: isAuto(call.by), needsUser: needsAnyone, procedure: call.by }]
  })
}

const DOUBTFUL: ReadonlySet<string> = new Set(['start', 'code', 'object', 'registry', 'persist'])

/** Whether what is not followed decides. Further arguments of a program that is known and runs no code do not. */
function isInDoubt({ kind, text, isAutomatic: runs }: BasicEffect): boolean {
  if (!runs || !DOUBTFUL.has(kind) || !hasPartFrom('cut', text)) return false
  return kind !== 'start' || !/^\s*(?:"[^"\ufffd]+"|[^\s"\ufffd]+)\s/.test(text) || findCommand(text) !== null
}

/** Procedures that run by themselves. */
function startsOf({ procedures, listeners }: Program, triggers: readonly string[]): string[] {
  const named = new Set(triggers.map((name) => name.toLowerCase()))
  const isEvent = (name: string): boolean => listeners.has(name.slice(0, name.lastIndexOf('_')))
  const isStart = (source: Source): boolean =>
    isRibbonCallback(source) || (source.name === 'main' && isAutomaticModule(source.module))
  return [...procedures]
    .filter(([name, sources]) => isAutomatic(name) || named.has(name) || isEvent(name) || sources.some(isStart))
    .map(([name]) => name)
}

function readTexts(texts: ReadonlySet<string>, level: number): BasicReading[] {
  return [...texts]
    .slice(0, CODE_TEXTS_MAX)
    .map((text) => readNested([{ name: '', text }], { isScript: true }, level + 1))
}

/** Those that start something first: a library of harmless procedures must not use up their steps. */
function callOthers(program: Program, machine: Machine): void {
  const others = [...program.procedures].filter(
    ([name, sources]) => !machine.state.visited.has(name) && sources.some(isInteresting),
  )
  const starting = others.filter(([, sources]) => sources.some(({ text }) => STARTS.test(text)))
  for (const [allowance, group] of [[CALLED, starting] as const, [READ, others] as const]) {
    machine.grant(allowance)
    for (const [name] of group) if (!machine.state.visited.has(name)) callAll(program, machine, name)
  }
}

function callAll(program: Program, machine: Machine, name: string): void {
  // Without steps left, it would only be parsed.
  if (machine.isExhausted()) return
  for (const source of program.procedures.get(name) ?? []) machine.call(source)
}

function allMentions(program: Program, names: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const name of names)
    for (const source of program.procedures.get(name) ?? [])
      for (const mention of source.parse().mentions) {
        charge(100)
        if (all.has(mention)) continue
        keep(100)
        all.add(mention)
      }
  return all
}

/** Office passes the ribbon to the procedure that it calls on opening. */
function isRibbonCallback({ text }: Source): boolean {
  return /^[^\r\n]{0,200}\bas[ \t]+iribbonui\b/i.test(text)
}

const INTERESTING =
  /shell|wscript|createobject|getobject|callbyname|\.run\b|\.exec\b|url|http|download|execute|winexec|createprocess|virtualalloc|rtlmove|regwrite|savetofile|addcode|addfromstring|insertlines|popen|macscript|dde|followhyperlink|registerxll|win32_|\bput\b|createtextfile|environ/i

const EXECUTES = anyCase`\bshell(?:execute\w*)?\b|wscript|${SHELL_CLASSES}|winexec|createprocess|urldownload|${POWERSHELLS}|win32_process|callbyname|virtualalloc|\b(?:create|get)object[ \t]*\((?![ \t]*"[^"\r\n]*"[ \t]*[,)])`

/** Code that matters even if it runs by a click. */
const STARTS =
  /\bshell|wscript|winexec|createprocess|urldownload|win32_|callbyname|virtualalloc|regwrite|savetofile|execute(?:statement|global|excel4|shell)|addcode|\.(?:run|exec)\b|scheduled?\.service|script:|\bput[ \t]*#|(?:create|get)object[ \t]*\((?![ \t]*")/i

/** Further code that must not be hidden behind a limit: it fetches, writes, transforms or talks to another program. */
const ACTS =
  /\bdde(?:initiate|execute|poke)|transformnode|loadxml|xmlhttp|winhttp|execute(?:statement|global|excel4|shell)|execscript|addcode|\.(?:exec|run|navigate2?)\b|followhyperlink|registerxll|attachedtemplate|addfromstring|addfromfile|insertlines|savetofile|createtextfile|copyfile|filecopy|regwrite|registertask|deserialize|macscript|popen|internetopen|internetreadfile|writefile|\bfor[ \t]+(?:output|append|binary)\b/i

/** The text of code that runs by itself. */
function* textsOf(
  { procedures, outsideTexts }: Program,
  names: Iterable<string>,
  isScript: boolean,
): Generator<string> {
  if (isScript) yield* outsideTexts
  for (const name of names) for (const { text } of procedures.get(name) ?? []) yield text
}

/** Procedures that contain such code, or a function of a library with such a name. */
function acting(pattern: RegExp, program: Program, names: Iterable<string>, isScript: boolean): string[] {
  const imported = [...program.imports].filter(([, { name }]) => pattern.test(name)).map(([local]) => local)
  return [...textsOf(program, names, isScript)].filter((text) => {
    charge(text.length * SEARCH_WORK * (1 + imported.length))
    return pattern.test(text) || imported.some((local) => text.toLowerCase().includes(local))
  })
}

const NAME = /[a-z_]\w{0,254}/g
const NAME_WORK = 100

/** Whether the procedure, or one that it names, decodes texts. */
function conceals(text: string, { procedures }: Program): boolean {
  const lower = text.toLowerCase()
  if (decodesText(lower)) return true
  charge(text.length * NAME_WORK)
  const named = new Set(Array.from(lower.matchAll(NAME), ([name]) => name).filter((name) => procedures.has(name)))
  return [...named].some((name) => procedures.get(name)?.some((source) => decodesText(source.text.toLowerCase())))
}

/** Lists of declarations are pasted as a whole. */
function usedImports({ imports, procedures }: Program): Import[] {
  const unused = new Map([...imports].filter(([, { name }]) => isTelling(name) || name.startsWith('amsi')))
  const used: Import[] = []
  for (const { text } of [...procedures.values()].flat()) {
    if (unused.size === 0) break
    charge(text.length * SEARCH_WORK * unused.size)
    const lower = text.toLowerCase()
    for (const [local, each] of unused) {
      if (!lower.includes(local)) continue
      used.push(each)
      unused.delete(local)
    }
  }
  return used
}

const SEARCH_WORK = 4

function isInteresting({ text }: Source): boolean {
  charge(text.length * SEARCH_WORK)
  return INTERESTING.test(text)
}
