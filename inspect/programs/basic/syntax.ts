/** The syntax tree of Visual Basic procedures. */

export type Expression =
  | { kind: 'literal'; value: string | number }
  | { kind: 'name'; name: string }
  /** `of: null` is the object of the enclosing With. */
  | { kind: 'member'; of: Expression | null; name: string }
  | { kind: 'call'; callee: Expression; args: readonly (Expression | null)[] }
  /** Operators of one precedence, from left to right. */
  | { kind: 'chain'; first: Expression; rest: readonly { operator: string; operand: Expression }[] }
  | { kind: 'unary'; operator: string; operand: Expression }
  | { kind: 'new'; name: string }
  /** An argument: `name:=value`. */
  | { kind: 'named'; name: string; value: Expression }

export interface Arm {
  /** null: always. */
  condition: Expression | null
  body: readonly Statement[]
}

/** `wasRun` is set when it is run for the first time. */
export type Statement = { wasRun?: true } /** `isSet`: only an object can be assigned. */ & (
  | { kind: 'assign'; target: Expression; value: Expression; isSet?: true }
  | { kind: 'call'; call: Expression }
  /** `If` and `Select Case`: the first arm that holds. */
  | { kind: 'choose'; arms: readonly Arm[] }
  | {
      kind: 'for'
      variable: Expression
      from: Expression
      to: Expression
      step: Expression | null
      body: readonly Statement[]
    }
  | { kind: 'each'; variable: Expression; list: Expression; body: readonly Statement[] }
  /** `after`: the body runs once before the condition is checked. */
  | { kind: 'loop'; condition: Expression | null; until: boolean; after: boolean; body: readonly Statement[] }
  | { kind: 'with'; object: Expression; body: readonly Statement[] }
  /** `bounds: null` declares a variable that is no array. */
  | {
      kind: 'dimension'
      name: string
      bounds: readonly (Expression | null)[] | null
      preserve: boolean
      isStatic: boolean
      isInteger: boolean
    }
  | { kind: 'exit'; from: 'procedure' | 'loop' }
  /** Lines have numbers as labels as well. */
  | { kind: 'label'; name: string }
  | { kind: 'jump'; label: string }
  /** `On Error`: null is `Resume Next`, and an empty label none. */
  | { kind: 'handler'; label: string | null }
)

export interface Parameter {
  name: string
  byValue: boolean
  /** `ParamArray`: all further arguments. */
  takesRest: boolean
  /** Of an argument that is left out. */
  value: Expression | null
}

export interface Procedure {
  name: string
  parameters: readonly Parameter[]
  body: readonly Statement[]
  /** Names and short texts in it: procedures that it may call. */
  mentions: ReadonlySet<string>
}
