/** Syntax trees of JavaScript, as far as the analyser needs them. */

import type { Pattern } from './tokens.ts'

export type Node =
  | { kind: 'constant'; value: string | number | boolean | null | undefined }
  /** A list of numbers only, which may have millions. */
  | { kind: 'numbers'; values: number[] }
  | { kind: 'pattern'; pattern: Pattern }
  | { kind: 'name'; name: string }
  | { kind: 'array'; items: Node[] }
  | { kind: 'object'; entries: { key: Node; value: Node }[] }
  | FunctionNode
  | { kind: 'spread'; value: Node }
  | { kind: 'member'; owner: Node; key: Node }
  | { kind: 'call'; callee: Node; args: Node[]; isNew: boolean }
  | { kind: 'unary'; operator: string; operand: Node }
  | { kind: 'update'; step: 1 | -1; target: Node; isPrefix: boolean }
  | { kind: 'binary'; operator: string; left: Node; right: Node }
  | { kind: 'assign'; operator: string; target: Node; value: Node; declares: boolean }
  | { kind: 'choice'; test: Node; yes: Node; no: Node | null }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'block'; body: Node[] }
  | { kind: 'loop'; start: Node | null; test: Node | null; step: Node | null; body: Node; testsLast: boolean }
  | { kind: 'each'; target: Node; source: Node; ofValues: boolean; body: Node }
  | { kind: 'switch'; value: Node; cases: { test: Node | null; body: Node[] }[] }
  | { kind: 'leave'; how: 'break' | 'continue' | 'return'; value: Node | null }

export interface FunctionNode {
  kind: 'function'
  name: string
  params: string[]
  body: Node[]
}

export const NOTHING: Node = { kind: 'constant', value: undefined }
