/** The procedures and declarations of the modules of a Visual Basic program. Procedures are parsed when they are needed. */

import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { accept, type Cursor, isName, isOperator, peek } from './expressions.ts'
import { partsOf } from './parts.ts'
import { parseBlock } from './statements.ts'
import type { Parameter, Procedure, Statement } from './syntax.ts'
import { joinLines, tokensOf, withoutComments } from './tokens.ts'

export interface Module {
  name: string
  text: string
}

export interface Program {
  /** Names in lower case; a name can be in several modules. */
  procedures: ReadonlyMap<string, readonly Source[]>
  /** Functions of libraries by the name that the program uses for them, in lower case. */
  imports: ReadonlyMap<string, Import>
  /** Variables that receive the events of an application or a document, in lower case. */
  listeners: ReadonlySet<string>
  /** Variables that a statement gives a value, in lower case. Other names are properties and functions of the application. */
  assigned: ReadonlySet<string>
  /** Code outside procedures. */
  outside: readonly Statement[]
  outsideTexts: readonly string[]
  /** Names in that code, in lower case. */
  outsideNames: ReadonlySet<string>
  /** Procedures that are run where their object is called. */
  defaults: readonly string[]
  /** Names of all modules and classes, in lower case. */
  modules: ReadonlySet<string>
  /** The index of the first item of an array that does not declare it. */
  base: 0 | 1
  /** Characters that were not parsed because there are too many. */
  unparsed: () => number
  /** Some procedures are not known even by name. */
  isCut: boolean
}

export interface Source {
  name: string
  /** In lower case. */
  module: string
  text: string
  /** `Property Let` or `Property Set`. */
  isSetter: boolean
  parse(): Procedure
}

export interface Import {
  library: string
  name: string
}

/** Characters of all procedures that are parsed. Others are only searched. */
export const PARSED_MAX = 2_000_000
/** Procedures that are read. No real project has as many. */
export const PROCEDURES_MAX = 50_000
const PROCEDURE_BYTES = 400
/** What reading and naming one takes. */
const PROCEDURE_WORK = 1_000

/** At the beginning of a statement: elsewhere the sign compares. */
const ASSIGNMENT =
  /(?:^|:|\bthen[ \t]|\belse[ \t])[ \t]*(?:(?:let|lset|set|for|each)[ \t]+){0,2}([a-z_]\w{0,254})[$%&!#@]?[ \t]*(?:\([^\r\n]{0,80}?\)[ \t]*)?(?:=|in\b)/gim

/** Work for each character. */
const ASSIGNMENT_WORK = 20

export function readProgram(modules: readonly Module[]): Program {
  const procedures = new Map<string, Source[]>()
  const outsideTexts: string[] = []
  let parsed = 0
  let unparsed = 0
  const take = (text: string): string => {
    const taken = text.slice(0, Math.max(0, PARSED_MAX - parsed))
    parsed += taken.length
    unparsed += text.length - taken.length
    return taken
  }
  let count = 0
  for (const source of modules) {
    const outer = nameOf(source)
    let module = outer
    const joined = joinLines(source.text)
    for (const part of partsOf(joined)) {
      if (part.name === null) {
        module = classAfter(part.text, module, outer)
        outsideTexts.push(part.text)
        continue
      }
      if (++count > PROCEDURES_MAX) {
        unparsed += part.text.length
        continue
      }
      keep(PROCEDURE_BYTES)
      charge(PROCEDURE_WORK)
      const source = sourceOf(part.name, module, part.text, take, () => {
        unparsed += part.text.length
      })
      const known = procedures.get(source.name)
      if (known === undefined) procedures.set(source.name, [source])
      else known.push(source)
    }
  }
  const assigned = new Set(modules.flatMap(assignedIn))
  const imports = importsOf(outsideTexts)
  const outsideNames = new Set<string>()
  const outside = outsideTexts.flatMap((text) => {
    const cursor = cursorOn(take(text))
    const statements = parseBlock(cursor)
    for (const name of cursor.mentions) outsideNames.add(name)
    if (cursor.isCut) unparsed += text.length
    return statements
  })
  const listeners = listenersOf(outsideTexts)
  const names = new Set([...modules.map(nameOf), ...outsideTexts.flatMap(classesIn)])
  const defaults = [...procedures].filter(([, all]) => all.some(({ text }) => DEFAULT.test(text))).map(([name]) => name)
  const base = outsideTexts.some((text) => BASE_1.test(text)) ? 1 : 0
  const isCut = count > PROCEDURES_MAX
  return {
    procedures,
    imports,
    listeners,
    assigned,
    outside,
    outsideTexts,
    outsideNames,
    defaults,
    modules: names,
    base,
    unparsed: () => unparsed,
    isCut,
  }
}

const CLASS_LIMIT = /^[^\S\r\n]*(end[ \t]+)?class\b[ \t]*(\w{0,255})/gim

/** The class or module in which a script is after this text. */
function classAfter(text: string, before: string, outer: string): string {
  charge(text.length)
  const last = [...text.matchAll(CLASS_LIMIT)].at(-1)
  if (last === undefined) return before
  return last[1] === undefined ? (last[2] ?? '').toLowerCase() : outer
}

const DEFAULT = /^[^\r\n]{0,40}\bdefault\b/i

/** Scripts have classes inside their text. */
const CLASS = /^[^\S\r\n]*class[ \t]+(\w{1,255})/gim

function classesIn(text: string): string[] {
  charge(text.length)
  return Array.from(text.matchAll(CLASS), ([, name = '']) => name.toLowerCase())
}

/** The name that the program uses; that of the stream may differ. */
const VB_NAME = /^attribute[ \t]+vb_name[ \t]*=[ \t]*"(\w{1,255})"/im
const nameOf = ({ name, text }: Module): string => (VB_NAME.exec(text)?.[1] ?? name).toLowerCase()

const BASE_1 = /^[ \t]*option[ \t]+base[ \t]+1\b/im

function assignedIn({ text }: Module): string[] {
  charge(text.length * ASSIGNMENT_WORK)
  return Array.from(text.matchAll(ASSIGNMENT), ([, name = '']) => name.toLowerCase())
}

function sourceOf(
  name: string,
  module: string,
  text: string,
  take: (text: string) => string,
  onCut: () => void,
): Source {
  let parsed: Procedure | null = null
  return {
    name: name.toLowerCase().replace(/^\[|\]$|[$%&!#@]$/g, ''),
    module,
    text,
    isSetter: SETTER.test(text),
    parse() {
      parsed ??= parseProcedure(name.toLowerCase(), take(text).replace(CONDITIONAL, '$1'), onCut)
      return parsed
    },
  }
}

const SETTER = /^[\s:]*(?:(?:public|private|friend|static)[ \t]+)*property[ \t]+(?:let|set)\b/i

/** `#If VBA7 Then` decides when the macro is compiled. */
const CONDITIONAL = /^([ \t]*)#[ \t]*(?=(?:if|elseif|else|end[ \t]*if)\b)/gim

function cursorOn(text: string): Cursor {
  return { tokens: tokensOf(text), at: 0, depth: 0, mentions: new Set(), isCut: false }
}

const NOT_A_NAME = new Set(words('sub function property get let set public private friend static'))

function parseProcedure(name: string, text: string, onCut: () => void): Procedure {
  const cursor = cursorOn(text)
  while (peek(cursor).kind === 'eol' && cursor.at < cursor.tokens.length) cursor.at++
  while (isName(peek(cursor), ...NOT_A_NAME, 'global', 'default')) cursor.at++
  cursor.at++
  const parameters = accept(cursor, '(') ? parseParameters(cursor) : []
  while (cursor.at < cursor.tokens.length && peek(cursor).kind !== 'eol') cursor.at++
  const body = parseBlock(cursor)
  if (cursor.isCut) onCut()
  return { name, parameters, body, mentions: cursor.mentions }
}

function parseParameters(cursor: Cursor): Parameter[] {
  const parameters: Parameter[] = []
  let byValue = false
  let takesRest = false
  let isNamed = false
  for (let token = peek(cursor); token.kind !== 'eol' && !isOperator(token, ')'); token = peek(cursor)) {
    cursor.at++
    if (isOperator(token, ',')) {
      byValue = false
      isNamed = false
      takesRest = false
    } else if (isName(token, 'byval')) byValue = true
    else if (isName(token, 'paramarray')) takesRest = true
    else if (isOperator(token, '(')) accept(cursor, ')')
    else if (isOperator(token, '=')) setDefault(parameters.at(-1), cursor)
    else if (token.kind === 'name' && !isNamed && !['byref', 'optional'].includes(token.text)) {
      keep(PROCEDURE_BYTES)
      charge(PROCEDURE_WORK)
      parameters.push({ name: token.text, byValue, takesRest, value: null })
      isNamed = true
    }
  }
  return parameters
}

/** `Optional a = "b"`. */
function setDefault(parameter: Parameter | undefined, cursor: Cursor): void {
  const { kind, text, number } = peek(cursor)
  if (parameter === undefined || kind === 'operator' || kind === 'eol') return
  cursor.at++
  parameter.value = kind === 'name' ? { kind, name: text } : { kind: 'literal', value: kind === 'text' ? text : number }
}

const DECLARE =
  /\bdeclare[ \t]+(?:ptrsafe[ \t]+)?(?:sub|function)[ \t]+([^\s(]{1,255})[ \t]+(?:cdecl[ \t]+)?lib[ \t]+"([^"\r\n]{0,255})"(?:[ \t]+alias[ \t]+"([^"\r\n]{0,255})")?/gi

function importsOf(texts: readonly string[]): Map<string, Import> {
  const imports = new Map<string, Import>()
  for (const text of texts)
    for (const [, local = '', library = '', alias] of withoutComments(text).matchAll(DECLARE)) {
      keep(PROCEDURE_BYTES)
      charge(PROCEDURE_WORK)
      imports.set(local.toLowerCase(), { library: library.toLowerCase(), name: (alias ?? local).toLowerCase() })
    }
  return imports
}

const LISTENER =
  /\bwithevents[ \t]+(\w{1,255})[ \t]+as[ \t]+(?:\w{1,40}\.)?(?:application|document|workbook|worksheet|presentation|window|explorers?|inspectors?|items)\b/gi

function listenersOf(texts: readonly string[]): Set<string> {
  const listeners = new Set<string>()
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(LISTENER)) {
      keep(PROCEDURE_BYTES)
      charge(PROCEDURE_WORK)
      listeners.add(name.toLowerCase())
    }
  return listeners
}
