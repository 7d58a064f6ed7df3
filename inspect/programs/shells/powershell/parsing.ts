/** What the parts of the grammar of PowerShell share. */

import type { ClassNode, Node } from '../../javascript/syntax.ts'
import { nested, type Reader } from '../source.ts'
import { NULL, noted, type Range } from '../tree.ts'

/** Space within a statement: also comments and lines that go on. */
export const SPACE = /(?:[ \t\f\v\u00a0]+|`\r?\n|<#[\s\S]*?(?:#>|$))*/y

export const LINES = /(?:[\s;\u00a0]+|`\r?\n|<#[\s\S]*?(?:#>|$)|#[^\r\n]*)*/y

export const LINE_SPACE = /(?:[\s\u00a0]+|`\r?\n|<#[\s\S]*?(?:#>|$)|#[^\r\n]*)*/y

export const VARIABLE = /[$@](?:\{([^}\r\n]{1,200})\}|((?:\w+:)?\w+|[?^$]))/y

export const TYPE = /\[([a-z_][\w.]*(?:\[[\w.,[\] ]{0,100}\])?)\]/iy

export const STATEMENT_END = /[^;\r\n}]*/y

interface Scope {
  /** Variables that the function around the code assigns. */
  vars: Set<string>
}

/** What the parts of the grammar call of each other, which are within each other. */
export interface Grammar {
  statements(parsing: Parsing): Node[]
  statement(parsing: Parsing): Node | null
  pipeline(parsing: Parsing): Node
  logical(parsing: Parsing): Node
  commandArguments(parsing: Parsing): { name: string | null; value: Node }[]
  callArguments(parsing: Parsing): Node[]
}

export interface Parsing extends Reader {
  grammar: Grammar
  places: Range[]
  scope: Scope
  /** Functions, with their parameters. */
  functions: Map<string, string[]>
  /** Classes of the script, and their names. */
  classes: ClassNode[]
  types: ReadonlySet<string>
  /** Other names of commands. */
  aliases: ReadonlySet<string>
  /** Commands that they are known to stand for. */
  targets: Map<string, string>
  /** Those that are run for each value of a pipe. */
  filters: ReadonlySet<string>
  /** Items of a list in a text have nothing between them. */
  isTight: boolean
  /** Numbers are made of the letters of texts, of which digits are some. */
  readsLetters: boolean
  /** Variables that the script sets. */
  assigned: ReadonlySet<string>
  /** Variables of the environment that the script sets. */
  environment: ReadonlySet<string>
  /** Places whose values are run as code. */
  codes: number[]
  /** Commas part items of a list, not arguments of a method. */
  hasLists: boolean
}

/** The value at a place, which is looked for. */
export function noting(parsing: Parsing, { from, to, isRaw }: Range, value: Node): Node {
  if (value.kind === 'function') return value
  if (parsing.isInner === true) return notedElsewhere(parsing, value)
  let end = to
  while (end > from && /\s/.test(parsing.source.charAt(end - 1))) end--
  return noted(parsing.places.push({ from, to: end, ...(isRaw === true && { isRaw }) }) - 1, value)
}

/** The same for one that the source does not contain. */
export const notedElsewhere = (parsing: Parsing, value: Node): Node =>
  noted(parsing.places.push({ from: 0, to: 0, isElsewhere: true }) - 1, value)

export const since = ({ at }: Parsing, from: number): Range => ({ from, to: at })

export function withLists<T>(parsing: Parsing, hasLists: boolean, read: () => T): T {
  const before = parsing.hasLists
  parsing.hasLists = hasLists
  const result = nested(parsing, read)
  parsing.hasLists = before
  return result
}

export const functionName = (name: string): string => `sf_${name.toLowerCase().replace(/\W/g, '_')}`

export const typeName = (name: string): string => `sc_${name.toLowerCase()}`
export const aliasName = (name: string): string => `sa_${name.toLowerCase().replace(/\W/g, '_')}`

export const variableName = (name: string): string =>
  `sv_${name
    .toLowerCase()
    .replace(/^(?:global|script|local|private|variable|using):/, '')
    .replace(/\W/g, '_')}`

/** A sign that is not understood. */
export function skipped(parsing: Parsing): Node {
  parsing.at++
  return NULL
}
