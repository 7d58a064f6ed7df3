/** Reads statements of Python. What it does not understand of a line, it passes over, so that nothing behind it is lost. */

import { Expressions } from './expressions.ts'
import type { Expression, Handler, Statement } from './syntax.ts'

type Body = readonly Statement[]
const NONE: Expression = { kind: 'none' }
const UNKNOWN: Expression = { kind: 'name', name: '' }

/** All of a program. */
export function parsePython(source: string): Statement[] {
  return new Parser(source).readProgram()
}

class Parser extends Expressions {
  readProgram(): Statement[] {
    const found: Statement[] = []
    while (this.token !== undefined) found.push(...this.#readLines(-1))
    return found
  }

  /** The lines that are indented by more. */
  #readLines(outer: number): Statement[] {
    const found: Statement[] = []
    for (;;) {
      const indent = this.#skipEnds()
      if (this.token === undefined || indent <= outer) return found
      this.#readLine(indent, found)
    }
  }

  /** Passes empty lines. The indentation of the next one. */
  #skipEnds(): number {
    while (this.token?.kind === 'end' && (this.tokens[this.at + 1]?.kind ?? 'end') === 'end') this.at++
    const { token } = this
    if (token?.kind !== 'end' || this.tokens[this.at + 1] === undefined) {
      if (token?.kind === 'end') this.at++
      return token === undefined ? -1 : 0
    }
    return token.indent ?? 0
  }

  /** Statements between semicolons. */
  #readLine(indent: number, found: Statement[]): void {
    if (this.token?.kind === 'end') this.at++
    for (;;) {
      const before = this.at
      found.push(...this.#readStatement(indent))
      if (this.token?.kind === 'end' && this.token.indent === null) {
        this.at++
        if (this.token?.kind === 'end') return
      } else if (this.token === undefined || this.token.kind === 'end') return
      else if (this.at === before) this.at++
    }
  }

  #readBlock(indent: number): Body {
    this.take(':')
    return this.deeper(() => {
      if (this.token === undefined) return []
      if (this.token.kind === 'end' && this.token.indent !== null) return this.#readLines(indent)
      const found: Statement[] = []
      this.#readLine(indent, found)
      return found
    })
  }

  /** Whether the next line goes on with the word, which is passed. */
  #continues(word: string, indent: number): boolean {
    let at = this.at
    while (this.tokens[at]?.kind === 'end' && this.tokens[at + 1]?.kind === 'end') at++
    const end = this.tokens[at]
    const next = this.tokens[at + 1]
    if (end?.kind !== 'end' || end.indent !== indent || next?.kind !== 'name' || next.text !== word) return false
    this.at = at + 2
    return true
  }

  #readStatement(indent: number): Statement[] {
    const read = this.token?.kind === 'name' ? STATEMENTS.get(this.token.text) : undefined
    if (read !== undefined && !this.#isPlainName()) {
      this.at++
      return read(this.#blocks(indent))
    }
    if (this.isSign('@')) return this.#readDecorated(indent)
    return [this.#readSimple(indent)]
  }

  /** `match`, `print` and others are names where something is assigned to them, or called. */
  #isPlainName(): boolean {
    const next = this.tokens[this.at + 1]
    if (!/^(?:match|exec)$/.test(this.token?.text ?? '')) return false
    if (this.isWord('exec')) return next?.kind !== 'text' && next?.kind !== 'name'
    return next?.kind === 'end' || (next?.kind === 'sign' && !/^[([{-]$/.test(next.text)) || !this.#endsWithColon()
  }

  #endsWithColon(): boolean {
    let at = this.at
    while (this.tokens[at] !== undefined && this.tokens[at]?.kind !== 'end') at++
    return this.tokens[at - 1]?.text === ':'
  }

  #blocks(indent: number): Blocks {
    return {
      parser: this,
      body: () => this.#readBlock(indent),
      continues: (word) => this.#continues(word, indent),
      cases: () => this.#readCases(indent),
    }
  }

  #readCases(indent: number): { pattern: Expression; body: Body }[] {
    this.take(':')
    const cases: { pattern: Expression; body: Body }[] = []
    for (;;) {
      const inner = this.#skipEnds()
      if (this.token === undefined || inner <= indent) return cases
      this.at++
      if (!this.take('case')) continue
      const pattern = this.readExpressions()
      // A pattern has signs that no expression has.
      while (this.token !== undefined && this.token.kind !== 'end' && !this.isSign(':')) this.at++
      cases.push({ pattern, body: this.#readBlock(inner) })
    }
  }

  #readDecorated(indent: number): Statement[] {
    const decorators: Expression[] = []
    while (this.take('@')) {
      decorators.push(this.readTest())
      this.#skipEnds()
      if (this.token?.kind === 'end') this.at++
    }
    return this.#readStatement(indent).map((each) => (each.kind === 'function' ? { ...each, decorators } : each))
  }

  /** An assignment, or an expression. */
  #readSimple(indent: number): Statement {
    const first = this.readExpressions()
    const { token } = this
    if (token?.kind === 'sign' && /^(?:\*\*|\/\/|<<|>>|[-+*/%@&|^])=$/.test(token.text)) {
      this.at++
      return { kind: 'update', target: first, sign: token.text.slice(0, -1), value: this.readExpressions() }
    }
    if (this.isSign(':')) {
      this.at++
      // A line that was not understood may open a block.
      if (this.token?.kind === 'end') return { kind: 'with', value: first, target: null, body: this.#readBlock(indent) }
      this.readTest()
    }
    const targets: Expression[] = []
    let value = first
    while (this.take('=')) {
      targets.push(value)
      value = this.readExpressions()
    }
    return targets.length === 0 ? { kind: 'expression', value } : { kind: 'assignment', targets, value }
  }

  dottedName(): string {
    while (this.isSign('.')) this.at++
    const parts = [this.takeName()]
    while (this.take('.')) parts.push(this.takeName())
    return parts.join('.')
  }

  readDefinition({ body }: Blocks): Statement[] {
    const name = this.takeName()
    // Parameters of types.
    if (this.take('[')) this.readArguments(']')
    this.take('(')
    const parameters = this.readParameters(')')
    if (this.take('->')) this.readTest()
    return [{ kind: 'function', definition: { name, parameters, body: body() }, decorators: [] }]
  }
}

interface Blocks {
  parser: Parser
  body(): Body
  continues(word: string): boolean
  cases(): { pattern: Expression; body: Body }[]
}

type Read = (blocks: Blocks) => Statement[]

const readIf: Read = ({ parser, body, continues }) => {
  const arms: { test: Expression; body: Body }[] = []
  do arms.push({ test: parser.readExpressions(), body: body() })
  while (continues('elif'))
  return [{ kind: 'if', arms, other: continues('else') ? body() : [] }]
}

const readFor: Read = ({ parser, body, continues }) => {
  const target = parser.readTargets()
  parser.take('in')
  const from = parser.readExpressions()
  return [{ kind: 'for', target, from, body: body(), other: continues('else') ? body() : [] }]
}

const readTry: Read = ({ parser, body, continues }) => {
  const tried = body()
  const handlers: Handler[] = []
  while (continues('except')) {
    parser.take('*')
    if (!parser.isSign(':')) parser.readTest()
    // Python 2 has a comma.
    const name = parser.take('as') || parser.take(',') ? parser.takeName() : ''
    handlers.push({ name, body: body() })
  }
  const other = continues('else') ? body() : []
  return [{ kind: 'try', body: tried, handlers, other, last: continues('finally') ? body() : [] }]
}

const readWith: Read = ({ parser, body }) => {
  const items: { value: Expression; target: Expression | null }[] = []
  do {
    const value = parser.readTest()
    items.push({ value, target: parser.take('as') ? parser.readTest() : null })
  } while (parser.take(','))
  let inner = body()
  for (const { value, target } of items.reverse()) inner = [{ kind: 'with', value, target, body: inner }]
  return [...inner]
}

/** `import a.b as c, d`. Without `as`, the first part of the name is visible. */
const readImport: Read = ({ parser }) => {
  const found: Statement[] = []
  do {
    const module = parser.dottedName()
    const [top = ''] = module.split('.')
    const alias = parser.take('as') ? parser.takeName() : top
    found.push({ kind: 'import', module: alias === top ? top : module, alias })
  } while (parser.take(','))
  return found
}

/** `from a import b as c, d`, also in brackets. */
const readFrom: Read = ({ parser }) => {
  const module = parser.dottedName()
  if (!parser.take('import')) return []
  if (parser.take('*')) return [{ kind: 'from', module, name: '*', alias: '' }]
  const isBracketed = parser.take('(')
  const found: Statement[] = []
  do {
    const name = parser.takeName()
    const alias = parser.take('as') ? parser.takeName() : name
    if (name !== '') found.push({ kind: 'from', module, name, alias })
  } while (parser.take(','))
  if (isBracketed) parser.take(')')
  return found
}

const readNames =
  (isGlobal: boolean): Read =>
  ({ parser }) => {
    const names = [parser.takeName()]
    while (parser.take(',')) names.push(parser.takeName())
    return [{ kind: 'outer', names, isGlobal }]
  }

const optional = ({ parser }: Blocks): Expression | null => (parser.isAtEnd ? null : parser.readExpressions())

const STATEMENTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['if', readIf],
  ['elif', readIf],
  ['else', ({ body }) => [{ kind: 'if', arms: [{ test: UNKNOWN, body: body() }], other: [] }]],
  [
    'while',
    ({ parser, body, continues }) => {
      const test = parser.readExpressions()
      return [{ kind: 'while', test, body: body(), other: continues('else') ? body() : [] }]
    },
  ],
  ['for', readFor],
  ['try', readTry],
  ['finally', ({ body }) => [...body()]],
  ['with', readWith],
  ['match', ({ parser, cases }) => [{ kind: 'match', subject: parser.readExpressions(), cases: cases() }]],
  ['async', () => []],
  ['def', (blocks) => blocks.parser.readDefinition(blocks)],
  [
    'class',
    ({ parser, body }) => {
      const name = parser.takeName()
      if (parser.take('[')) parser.readArguments(']')
      const bases = parser.take('(') ? parser.readArguments(')') : []
      return [{ kind: 'class', name, bases, body: body() }]
    },
  ],
  ['return', (blocks) => [{ kind: 'return', value: optional(blocks) }]],
  ['raise', (blocks) => [{ kind: 'raise', value: optional(blocks) }]],
  ['break', () => [{ kind: 'break' }]],
  ['continue', () => [{ kind: 'continue' }]],
  ['pass', () => []],
  ['global', readNames(true)],
  ['nonlocal', readNames(false)],
  ['import', readImport],
  ['from', readFrom],
  ['assert', (blocks) => [{ kind: 'expression', value: optional(blocks) ?? NONE }]],
  // The statement of Python 2.
  [
    'exec',
    ({ parser }) => {
      const value = parser.readTest()
      return [
        { kind: 'expression', value: { kind: 'call', target: { kind: 'name', name: 'exec' }, args: [{ value }] } },
      ]
    },
  ],
])
