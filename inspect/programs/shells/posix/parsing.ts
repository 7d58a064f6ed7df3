/** What the parts of the grammar of Unix shells share. */

import type { Node } from '../../javascript/syntax.ts'
import type { Reader } from '../source.ts'
import { noted, type Range } from '../tree.ts'

export const SPACE = /(?:[ \t]+|\\\r?\n)*/y

export const LINES = /(?:\s+|;(?!;)|\\\r?\n|#[^\r\n]*|&(?!&))*/y

export const NAME = /[a-z_]\w*/iy

/** What the parts of the grammar call of each other, which are within each other. */
interface Grammar {
  statements(parsing: Parsing): Node[]
}

export interface Parsing extends Reader {
  grammar: Grammar
  places: Range[]
  vars: Set<string>
  functions: ReadonlySet<string>
  /** Variables that the script sets. */
  assigned: ReadonlySet<string>
  codes: number[]
  /** Texts that names stand for. */
  aliases: ReadonlyMap<string, string>
  /** Those among them that stand for another one. */
  references: ReadonlyMap<string, string>
  /** Lists whose items are set one by one, and how they begin. */
  lists: Map<string, Node>
  /** Arguments of a function, or those that the script sets, are known. */
  hasArguments: boolean
  /** What a command reads that is given nothing else. */
  input: Node
  /** What divides the text that a command reads. null: not said. */
  separator: Node | null
  /** Texts of here-documents that begin behind the line. */
  pending: { isPlain: boolean; end: string; place: (text: Node) => void }[]
}

export const variableName = (name: string): string => `sv_${name}`

/** The list of arguments. */
export const ARGUMENTS = 'sh_arguments'

/** Standard input of a function. */
export const INPUT = 'sh_input'

/** Commands that are a condition, and what it is. */
export const TESTS = new WeakMap<Node, Node>()

/** The variable that a name stands for. */
export const targetName = (parsing: Parsing, name: string): string => parsing.references.get(name) ?? name

/** What is written with the end of a line. */
export const LINED = new WeakSet<Node>()

export const functionName = (name: string): string => `sf_${name.replace(/\W/g, '_')}`

/** The value at a place, which is looked for. */
export function noting(parsing: Parsing, { from, to, isRaw, isElsewhere }: Range, value: Node): Node {
  if (parsing.isInner === true || isElsewhere === true)
    return noted(parsing.places.push({ from, to, isElsewhere: true }) - 1, value)
  let end = to
  while (end > from && /\s/.test(parsing.source.charAt(end - 1))) end--
  return noted(parsing.places.push({ from, to: end, ...(isRaw === true && { isRaw }) }) - 1, value)
}
