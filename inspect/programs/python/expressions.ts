/** Reads expressions of Python. */

import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { Argument, Expression, Parameter, Part } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Brackets, operators and blocks within each other. Ordinary code stays far below. */
export const DEPTH_MAX = 100
const NODE_WORK = 300
const NODE_BYTES = 120
/** Expressions inside a text that are read. */
export const FORMATS_MAX = 3

/** Nested deeper than it is read. */
export class TooDeep extends Error {}
const TOO_DEEP = new TooDeep()

const UNKNOWN: Expression = { kind: 'name', name: '' }
const NONE: Expression = { kind: 'none' }
const WORDS: ReadonlySet<string> = new Set(words('if else for in is and or not as async from'))

/** Signs of operations from the weakest to the strongest. */
const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%', '@'],
]
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>='])

export class Expressions {
  readonly tokens: readonly Token[]
  at = 0
  #depth = 0
  readonly #formats: number

  constructor(source: string, formats = 0) {
    this.tokens = tokensOf(source)
    this.#formats = formats
  }

  get token(): Token | undefined {
    return this.tokens[this.at]
  }

  isSign(text: string): boolean {
    return this.token?.kind === 'sign' && this.token.text === text
  }

  isWord(text: string): boolean {
    return this.token?.kind === 'name' && this.token.text === text
  }

  /** Passes it if it is there. */
  take(text: string): boolean {
    if (this.token?.text !== text || (this.token.kind !== 'sign' && this.token.kind !== 'name')) return false
    this.at++
    return true
  }

  takeName(): string {
    const { token } = this
    if (token?.kind !== 'name') return ''
    this.at++
    return token.text
  }

  deeper<T>(read: () => T): T {
    if (++this.#depth > DEPTH_MAX) throw TOO_DEEP
    charge(NODE_WORK)
    keep(NODE_BYTES)
    const result = read()
    this.#depth--
    return result
  }

  /** Ends at a sign or word that cannot go on an expression. */
  get isAtEnd(): boolean {
    const { token } = this
    return (
      token === undefined ||
      token.kind === 'end' ||
      (token.kind === 'sign' && /^(?:[)\]},:;]|.?.?=)$/.test(token.text) && !COMPARISONS.has(token.text))
    )
  }

  /** One, or a tuple without brackets. */
  readExpressions(): Expression {
    const first = this.readStarred()
    if (!this.isSign(',')) return first
    const items = [first]
    while (this.take(',')) if (!this.isAtEnd) items.push(this.readStarred())
    return { kind: 'tuple', items }
  }

  readStarred(): Expression {
    if (this.take('*') || this.take('**')) return { kind: 'spread', value: this.readTest() }
    return this.readTest()
  }

  readTest(): Expression {
    return this.deeper(() => {
      if (this.isWord('lambda')) return this.#readLambda()
      if (this.take('yield')) return this.#readYield()
      const value = this.#readOr()
      if (this.take(':='))
        return { kind: 'walrus', name: value.kind === 'name' ? value.name : '', value: this.readTest() }
      if (!this.take('if')) return value
      const test = this.#readOr()
      return { kind: 'choice', test, yes: value, no: this.take('else') ? this.readTest() : UNKNOWN }
    })
  }

  #readYield(): Expression {
    this.take('from')
    return { kind: 'yield', value: this.isAtEnd ? NONE : this.readExpressions() }
  }

  #readLambda(): Expression {
    this.at++
    const parameters = this.readParameters(':')
    const value = this.readTest()
    return { kind: 'lambda', definition: { name: 'lambda', parameters, body: [{ kind: 'return', value }] } }
  }

  #readOr(): Expression {
    let left = this.#readAnd()
    while (this.take('or')) left = { kind: 'or', left, right: this.#readAnd() }
    return left
  }

  #readAnd(): Expression {
    let left = this.#readNot()
    while (this.take('and')) left = { kind: 'and', left, right: this.#readNot() }
    return left
  }

  #readNot(): Expression {
    if (this.take('not')) return this.deeper(() => ({ kind: 'not', value: this.#readNot() }))
    let left = this.#readLevel(0)
    for (let sign = this.#comparison(); sign !== null; sign = this.#comparison())
      left = { kind: 'operation', sign, left, right: this.#readLevel(0) }
    return left
  }

  #comparison(): string | null {
    const { token } = this
    if (token?.kind === 'sign' && COMPARISONS.has(token.text)) {
      this.at++
      return token.text
    }
    if (this.take('in')) return 'in'
    if (this.take('is')) return this.take('not') ? 'is not' : 'is'
    if (!this.isWord('not') || this.tokens[this.at + 1]?.text !== 'in') return null
    this.at += 2
    return 'not in'
  }

  #readLevel(level: number): Expression {
    const signs = LEVELS[level]
    if (signs === undefined) return this.#readUnary()
    let left = this.#readLevel(level + 1)
    for (let { token } = this; token?.kind === 'sign' && signs.includes(token.text); token = this.token) {
      charge(NODE_WORK)
      this.at++
      left = { kind: 'operation', sign: token.text, left, right: this.#readLevel(level + 1) }
    }
    return left
  }

  #readUnary(): Expression {
    for (const sign of ['-', '+', '~'])
      if (this.take(sign))
        return this.deeper(() => {
          const left: Expression = { kind: 'number', value: sign === '~' ? -1 : 0 }
          return { kind: 'operation', sign: sign === '+' ? '+' : '-', left, right: this.#readUnary() }
        })
    this.take('await')
    const base = this.#readTrailers(this.#readAtom())
    return this.take('**') ? { kind: 'operation', sign: '**', left: base, right: this.#readUnary() } : base
  }

  #readTrailers(start: Expression): Expression {
    let value = start
    for (;;) {
      charge(NODE_WORK)
      if (this.take('(')) value = { kind: 'call', target: value, args: this.readArguments(')') }
      else if (this.take('[')) value = { kind: 'index', on: value, at: this.#readIndex() }
      else if (this.isSign('.') && this.tokens[this.at + 1]?.kind === 'name') {
        this.at++
        value = { kind: 'member', on: value, name: this.takeName() }
      } else return value
    }
  }

  #readIndex(): Expression {
    const items: Expression[] = []
    do {
      if (this.isSign(']')) break
      items.push(this.#readSlice())
    } while (this.take(','))
    this.#close(']')
    const [first = UNKNOWN] = items
    return items.length > 1 ? { kind: 'tuple', items } : first
  }

  #readSlice(): Expression {
    const bounds: (Expression | null)[] = [null, null, null]
    let count = 0
    for (;;) {
      if (!this.isAtEnd) bounds[count] = this.readStarred()
      if (count === 2 || !this.take(':')) break
      count++
    }
    const [from = null, to = null, step = null] = bounds
    return count === 0 ? (from ?? UNKNOWN) : { kind: 'slice', from, to, step }
  }

  /** Up to the closing bracket, whatever stands between. */
  #close(sign: string): void {
    while (this.token !== undefined && this.token.kind !== 'end' && !this.isSign(sign)) this.at++
    this.take(sign)
  }

  readArguments(close: string): Argument[] {
    const args: Argument[] = []
    while (this.token !== undefined && !this.isSign(close)) {
      const before = this.at
      const isSpread = this.take('*') || this.take('**')
      const isNamed = this.token?.kind === 'name' && this.tokens[this.at + 1]?.text === '='
      const name = isNamed ? this.takeName() : undefined
      if (isNamed) this.at++
      const value = this.#withParts(this.readTest())
      args.push({ value, ...(name !== undefined && { name }), ...(isSpread && { isSpread }) })
      while (this.isSign(',') || this.isSign('=') || this.isSign(':') || this.token?.kind === 'end') this.at++
      if (this.at === before) this.at++
    }
    this.take(close)
    return args
  }

  /** `x for a in b if c`. */
  #withParts(result: Expression): Expression {
    const parts: Part[] = []
    for (;;) {
      if (this.isWord('async')) this.at++
      if (!this.take('for')) break
      const target = this.readTargets()
      this.take('in')
      const from = this.#readOr()
      const conditions: Expression[] = []
      while (this.take('if')) conditions.push(this.#readOr())
      parts.push({ target, from, conditions })
    }
    return parts.length === 0 ? result : { kind: 'comprehension', result, parts }
  }

  /** Up to `in`. */
  readTargets(): Expression {
    const items: Expression[] = []
    let isTuple = false
    do {
      if (this.isWord('in') || this.isAtEnd) break
      this.take('*')
      items.push(this.#readLevel(0))
      isTuple ||= this.isSign(',')
    } while (this.take(','))
    const [first = UNKNOWN] = items
    return isTuple ? { kind: 'tuple', items } : first
  }

  #readAtom(): Expression {
    const { token } = this
    if (token === undefined || token.kind === 'end') return UNKNOWN
    if (token.kind === 'sign') return this.#readBracket(token.text)
    this.at++
    if (token.kind === 'number') return { kind: 'number', ...numberOf(token.text) }
    if (token.kind === 'text' || token.kind === 'format') return this.#readTexts(token)
    if (WORDS.has(token.text)) return UNKNOWN
    if (token.text === 'None') return NONE
    if (token.text === 'True' || token.text === 'False') return { kind: 'number', value: Number(token.text === 'True') }
    return { kind: 'name', name: token.text }
  }

  #readTexts(first: Token): Expression {
    const pieces: Expression[] = []
    let token: Token | undefined = first
    let text = ''
    const isBytes = first.isBytes === true
    for (; token?.kind === 'text' || token?.kind === 'format'; token = this.tokens[this.at++]) {
      if (token.kind === 'text') text += token.text
      else {
        pieces.push({ kind: 'text', text, isBytes }, ...this.#piecesOf(token.text))
        text = ''
      }
    }
    this.at--
    if (pieces.length === 0) return { kind: 'text', text, isBytes }
    return { kind: 'format', pieces: [...pieces, { kind: 'text', text, isBytes }] }
  }

  #piecesOf(text: string): Expression[] {
    if (this.#formats >= FORMATS_MAX) return [UNKNOWN]
    charge(text.length * NODE_WORK)
    return text.split(/(\{\{|\}\}|\{(?:[^{}]|\{[^{}]*\})*\})/).map((piece): Expression => {
      if (piece === '{{' || piece === '}}') return { kind: 'text', text: piece.charAt(0), isBytes: false }
      if (!/^\{.+\}$/s.test(piece)) return { kind: 'text', text: piece, isBytes: false }
      // The letter of a code.
      const [, code] = /^\{([^{}]{1,200}):c\}$/s.exec(piece) ?? []
      const inner = code === undefined ? piece.slice(1, -1) : `chr(${code})`
      const reader = new Expressions(`(${inner})`, this.#formats + 1)
      reader.at = 2
      return reader.readExpressions()
    })
  }

  #readBracket(sign: string): Expression {
    this.at++
    if (sign === '(' || sign === '[') return this.#readItems(sign === '(' ? ')' : ']', sign === '[')
    if (sign === '{') return this.#readBraces()
    if (sign === '.' && this.take('.')) this.take('.')
    return UNKNOWN
  }

  #readItems(close: string, isList: boolean): Expression {
    const items: Expression[] = []
    let isTuple = false
    while (this.token !== undefined && !this.isSign(close)) {
      const before = this.at
      if (this.token.kind !== 'end') items.push(this.#withParts(this.readStarred()))
      else this.at++
      isTuple ||= this.isSign(',')
      if (!this.take(',') && this.at === before) this.at++
    }
    this.take(close)
    const [first] = items
    if (isList) return first?.kind === 'comprehension' && items.length === 1 ? first : { kind: 'list', items }
    return items.length === 1 && !isTuple && first !== undefined ? first : { kind: 'tuple', items }
  }

  #readBraces(): Expression {
    const pairs: { key: Expression | null; value: Expression }[] = []
    const items: Expression[] = []
    while (this.token !== undefined && !this.isSign('}')) {
      const before = this.at
      if (this.take('**')) pairs.push({ key: null, value: this.readTest() })
      else {
        const key = this.readStarred()
        if (this.take(':')) pairs.push({ key, value: this.readTest() })
        else items.push(this.#withParts(key))
      }
      if (this.isSign('}') || this.isWord('for') || this.isWord('async')) break
      if (!this.take(',') && this.at === before) this.at++
    }
    const all = this.#eachOf(pairs)
    this.take('}')
    if (all !== null) return all
    return items.length > 0 ? { kind: 'list', items } : { kind: 'dict', pairs }
  }

  /** `{a: b for a, b in c}` is `dict((a, b) for a, b in c)`. */
  #eachOf([pair, ...others]: readonly { key: Expression | null; value: Expression }[]): Expression | null {
    if (pair?.key === undefined || pair.key === null || others.length > 0) return null
    const value = this.#withParts({ kind: 'tuple', items: [pair.key, pair.value] })
    if (value.kind !== 'comprehension') return null
    return { kind: 'call', target: { kind: 'name', name: 'dict' }, args: [{ value }] }
  }

  #readStars(): Parameter['rest'] {
    if (this.take('*')) return 'items'
    return this.take('**') ? 'entries' : null
  }

  readParameters(close: string): Parameter[] {
    const parameters: Parameter[] = []
    while (this.token !== undefined && !this.isSign(close)) {
      const before = this.at
      const rest = this.#readStars()
      const name = this.takeName()
      if (close === ')' && this.take(':')) this.readTest()
      const initial = this.take('=') ? this.readTest() : null
      if (name !== '') parameters.push({ name, initial, rest })
      if (!this.take(',') && this.at === before) this.at++
    }
    this.take(close)
    return parameters
  }
}

/** Digits of a whole number that is exact. */
const DIGITS_MAX = 60_000
const EXACT_MAX = 15

function numberOf(text: string): { value: number; big?: bigint } {
  const plain = text.replaceAll('_', '')
  const value = Number(/^0\d+$/.test(plain) ? `0o${plain}` : plain.replace(/[jl]$/i, ''))
  if (
    plain.length <= EXACT_MAX ||
    plain.length > DIGITS_MAX ||
    !/^(?:0x[\da-f]+|0b[01]+|0o[0-7]+|[1-9]\d*)$/i.test(plain)
  )
    return { value }
  charge(plain.length * DIGIT_WORK)
  return { value, big: BigInt(plain) }
}

/** Reading decimal digits takes longer the more there are. */
const DIGIT_WORK = 200
