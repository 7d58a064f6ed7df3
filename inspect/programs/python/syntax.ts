/** Python as a tree. */

export interface Argument {
  value: Expression
  name?: string
  /** `*values` and `**values`. */
  isSpread?: true
}

export interface Part {
  target: Expression
  from: Expression
  conditions: readonly Expression[]
}

export type Expression =
  | { kind: 'text'; text: string; isBytes: boolean }
  | { kind: 'number'; value: number; big?: bigint }
  | { kind: 'none' }
  | { kind: 'name'; name: string }
  | { kind: 'member'; on: Expression; name: string }
  | { kind: 'index'; on: Expression; at: Expression }
  | { kind: 'slice'; from: Expression | null; to: Expression | null; step: Expression | null }
  | { kind: 'call'; target: Expression; args: readonly Argument[] }
  | { kind: 'operation'; sign: string; left: Expression; right: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'not'; value: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'list' | 'tuple'; items: readonly Expression[] }
  | { kind: 'dict'; pairs: readonly { key: Expression | null; value: Expression }[] }
  | { kind: 'spread'; value: Expression }
  | { kind: 'lambda'; definition: Definition }
  | { kind: 'comprehension'; result: Expression; parts: readonly Part[] }
  | { kind: 'yield'; value: Expression }
  | { kind: 'walrus'; name: string; value: Expression }
  | { kind: 'format'; pieces: readonly Expression[] }

export interface Parameter {
  name: string
  initial: Expression | null
  /** `*names` and `**names`. */
  rest: 'items' | 'entries' | null
}

export interface Definition {
  name: string
  parameters: readonly Parameter[]
  body: readonly Statement[]
}

export interface Handler {
  name: string
  body: readonly Statement[]
}

export type Statement =
  | { kind: 'expression'; value: Expression }
  | { kind: 'assignment'; targets: readonly Expression[]; value: Expression }
  | { kind: 'update'; target: Expression; sign: string; value: Expression }
  | { kind: 'import'; module: string; alias: string }
  | { kind: 'from'; module: string; name: string; alias: string }
  | { kind: 'if'; arms: readonly { test: Expression; body: readonly Statement[] }[]; other: readonly Statement[] }
  | { kind: 'while'; test: Expression; body: readonly Statement[]; other: readonly Statement[] }
  | { kind: 'for'; target: Expression; from: Expression; body: readonly Statement[]; other: readonly Statement[] }
  | {
      kind: 'try'
      body: readonly Statement[]
      handlers: readonly Handler[]
      other: readonly Statement[]
      last: readonly Statement[]
    }
  | { kind: 'with'; value: Expression; target: Expression | null; body: readonly Statement[] }
  | { kind: 'match'; subject: Expression; cases: readonly { pattern: Expression; body: readonly Statement[] }[] }
  | { kind: 'function'; definition: Definition; decorators: readonly Expression[] }
  | { kind: 'class'; name: string; bases: readonly Argument[]; body: readonly Statement[] }
  | { kind: 'return'; value: Expression | null }
  | { kind: 'raise'; value: Expression | null }
  | { kind: 'break' | 'continue' }
  | { kind: 'outer'; names: readonly string[]; isGlobal: boolean }
