/** Syntax trees of JavaScript, as far as the analyser needs them. */

import type { Pattern } from './tokens.ts'

export type Node =
  | { kind: 'constant'; value: string | number | boolean | null | undefined }
  /** A list of numbers only, which may have millions. */
  | { kind: 'numbers'; values: number[] }
  | { kind: 'pattern'; pattern: Pattern }
  | { kind: 'name'; name: string }
  | { kind: 'array'; items: Node[] }
  | { kind: 'object'; entries: Entry[] }
  | FunctionNode
  | ClassNode
  | { kind: 'spread'; value: Node }
  | { kind: 'member'; owner: Node; key: Node }
  | { kind: 'call'; callee: Node; args: Node[]; isNew: boolean }
  | { kind: 'unary'; operator: string; operand: Node }
  | { kind: 'update'; step: 1 | -1; target: Node; isPrefix: boolean }
  | { kind: 'binary'; operator: string; left: Node; right: Node }
  | { kind: 'assign'; operator: string; target: Node; value: Node }
  | { kind: 'declare'; how: 'var' | 'let' | 'function'; target: Node; value: Node | null }
  | { kind: 'choice'; test: Node; yes: Node; no: Node | null }
  | { kind: 'sequence'; items: Node[] }
  /** `isScope`: declares variables of its own. */
  | { kind: 'block'; body: Node[]; isScope: boolean }
  | { kind: 'with'; object: Node; body: Node }
  /** `break name` leaves it. */
  | { kind: 'labelled'; name: string; body: Node }
  | { kind: 'loop'; start: Node | null; test: Node | null; step: Node | null; body: Node; testsLast: boolean }
  /** `isOwn`: the target is a variable of the loop. */
  | { kind: 'each'; target: Node; isOwn: boolean; source: Node; ofValues: boolean; body: Node }
  | { kind: 'switch'; value: Node; cases: { test: Node | null; body: Node[] }[] }
  | { kind: 'try'; body: Node; parameter: Node | null; handler: Node | null; last: Node | null }
  /** `label`: of the statement that is left, or the loop that goes on. */
  | { kind: 'leave'; how: 'break' | 'continue' | 'return' | 'throw'; value: Node | null; label: string | null }

export interface Entry {
  key: Node
  /** A spread has no key. */
  value: Node
  /** A function that is called to read or write the member. */
  how?: 'get' | 'set'
}

export interface ClassNode {
  kind: 'class'
  name: string
  base: Node | null
  /** Its constructor. */
  maker: FunctionNode | null
  entries: {
    key: Node
    /** Of a field, it returns the value. */
    value: FunctionNode
    isStatic: boolean
    /** `run`: code that runs with the class. */
    how: 'value' | 'get' | 'set' | 'field' | 'run'
  }[]
}

export interface FunctionNode {
  kind: 'function'
  name: string
  /** Targets of the arguments. */
  params: Node[]
  body: Node[]
  /** Names that `var` and functions declare in it. */
  vars: readonly string[]
  /** `this` is that of the function around it. */
  isArrow?: boolean
  isGenerator?: boolean
  /** Its name is one of the function around it, and may be given another value. */
  isDeclared?: boolean
  /** It was one of more values than are followed, so that calls of it are not seen. */
  isDropped?: boolean
  /** Calls an item of a list or record that its first argument names. */
  isLoader?: boolean
}

export const NOTHING: Node = { kind: 'constant', value: undefined }

/** The nodes in a node, without those of functions in it. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const each of value) children.push(...nodesIn(each))
    else children.push(...nodesIn(value))
  }
  return children
}

/** Operators that change nothing. An addition may call a method of an object. */
const QUIET_OPERATORS = new Set(['typeof', '!', '-', '~', 'void'])

/** Nodes within each other that are read. */
const QUIET_DEPTH_MAX = 4

/** Whether a node is short and changes nothing when it is evaluated. */
export function isQuiet(node: Node, depth = 0): boolean {
  if (depth > QUIET_DEPTH_MAX) return false
  switch (node.kind) {
    case 'constant':
    case 'name':
    case 'pattern':
    case 'function':
      return true
    case 'member':
      return isQuiet(node.owner, depth + 1) && isQuiet(node.key, depth + 1)
    case 'unary':
      return QUIET_OPERATORS.has(node.operator) && isQuiet(node.operand, depth + 1)
    case 'binary':
      return node.operator !== '+' && isQuiet(node.right, depth + 1) && isQuiet(node.left, depth + 1)
    default:
      return false
  }
}

/** Entries of objects and cases of switches have nodes, too. */
function nodesIn(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return []
  return 'kind' in value ? [value as Node] : childrenOf(value as Node)
}
