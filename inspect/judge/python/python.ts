/** Reads which programs Python starts and what it fetches: names are resolved through imports and variables, texts are folded. */

import { createdService, effectOf, hasEffect, isShell, type PythonEffect, starts } from './calls.ts'
import { type Token, tokensOf } from './tokens.ts'
import { fold, memberOf, nameOf, reversed, sumOf, textOf, type Value } from './values.ts'

/** Brackets and code within code that are followed. Ordinary code stays far below. */
const DEPTH_MAX = 100
const CODE_DEPTH_MAX = 3

const CODE = /^(?:exec|eval|compile|execfile|runpy\.run_\w+)$/
const LOADS = /^(?:__import__|importlib\.(?:import_module|__import__))$/
const NAMESPACES = /^(?:sys\.modules|(?:globals|locals|vars)\(\)|__dict__|__builtins__)$/
/** Modules of which an unknown function may be anything. */
const POWERFUL = /^(?:os|subprocess|builtins|__builtins__|ctypes)$/
const UNKNOWN_CODE: PythonEffect = { kind: 'code', text: '' }

interface Names {
  values: Map<string, Value>
  /** Modules of which everything was imported. */
  wildcards: string[]
}

export function readPython(source: string): PythonEffect[] {
  return readCode(source, 0)
}

function readCode(source: string, codeDepth: number): PythonEffect[] {
  const tokens = [...tokensOf(source)]
  const names: Names = { values: new Map(), wildcards: [] }
  // Functions use names that are assigned below them, so the first reading only collects names.
  new Reader(tokens, names, codeDepth).readAll()
  return new Reader(tokens, names, codeDepth).readAll()
}

class Reader {
  readonly #tokens: readonly Token[]
  readonly #names: Names
  readonly #codeDepth: number
  readonly #effects: PythonEffect[] = []
  #at = 0
  #depth = 0
  #createsShell = false

  constructor(tokens: readonly Token[], names: Names, codeDepth: number) {
    this.#tokens = tokens
    this.#names = names
    this.#codeDepth = codeDepth
  }

  readAll(): PythonEffect[] {
    while (this.#at < this.#tokens.length) {
      const before = this.#at
      this.#readStatement()
      if (this.#at === before) this.#at += 1
    }
    // The object may be passed on under a name that is not known here.
    if (this.#createsShell && this.#effects.length === 0) this.#effects.push({ kind: 'start', text: '' })
    return this.#effects
  }

  #isSign(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === 'sign' && token.text === text
  }

  #isWord(text: string): boolean {
    const token = this.#tokens[this.#at]
    return token?.kind === 'name' && token.text === text
  }

  /** The text of a name, which is passed; empty if there is none. */
  #takeName(): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'name') return ''
    this.#at += 1
    return token.text
  }

  #skipEnds(): void {
    while (this.#tokens[this.#at]?.kind === 'end') this.#at += 1
  }

  #readStatement(): void {
    const token = this.#tokens[this.#at]
    if (token?.kind === 'end') this.#at += 1
    else if (this.#isWord('import')) this.#readImport()
    else if (this.#isWord('from')) this.#readFrom()
    else if (token?.kind === 'name' && this.#isSign('=', 1) && !this.#isSign('=', 2)) {
      this.#at += 2
      this.#names.values.set(token.text, this.#readExpression())
    } else this.#readExpression()
  }

  #dottedName(): string {
    while (this.#isSign('.')) this.#at += 1
    const parts = [this.#takeName()]
    while (this.#isSign('.')) {
      this.#at += 1
      parts.push(this.#takeName())
    }
    return parts.join('.')
  }

  /** After `as`, or the name itself. */
  #alias(name: string): string {
    if (!this.#isWord('as')) return name
    this.#at += 1
    return this.#takeName()
  }

  /** `import a.b as c, d`. Without `as`, the first part of the name is visible. */
  #readImport(): void {
    do {
      this.#at += 1
      const module = this.#dottedName()
      const [top = ''] = module.split('.')
      const alias = this.#alias(top)
      this.#names.values.set(alias, { name: alias === top ? top : module })
    } while (this.#isSign(','))
  }

  /** `from a import b as c, d`, also in brackets. */
  #readFrom(): void {
    this.#at += 1
    const module = this.#dottedName()
    if (!this.#isWord('import')) return
    this.#at += 1
    if (this.#isSign('*')) this.#names.wildcards.push(module)
    const inBrackets = this.#isSign('(')
    if (inBrackets) this.#at += 1
    do {
      if (this.#isSign(',')) this.#at += 1
      if (inBrackets) this.#skipEnds()
      const member = this.#takeName()
      if (member !== '') this.#names.values.set(this.#alias(member), { name: `${module}.${member}` })
      if (inBrackets) this.#skipEnds()
    } while (this.#isSign(','))
  }

  #lookup(name: string): Value {
    const known = this.#names.values.get(name)
    if (known !== undefined) return known
    const module = this.#names.wildcards.find((each) => hasEffect(`${each}.${name}`))
    return { name: module === undefined ? name : `${module}.${name}` }
  }

  /** Everything up to the closing bracket, one value for each element. */
  #readList(close: string): Value[] {
    const values: Value[] = []
    this.#at += 1
    for (this.#skipEnds(); this.#at < this.#tokens.length && !this.#isSign(close); this.#skipEnds()) {
      const isSeparator = [',', ':', '=', '*'].some((sign) => this.#isSign(sign))
      if (isSeparator) this.#at += 1
      else values.push(...this.#readElement())
    }
    this.#at += 1
    return values
  }

  /** Nothing for the name of an argument. */
  #readElement(): Value[] {
    const value = this.#readExpression()
    // A function that something else will call.
    if (starts(nameOf(value) ?? '')) this.#effects.push({ kind: 'start', text: '' })
    return this.#isSign('=') && !this.#isSign('=', 1) ? [] : [value]
  }

  #readPrimary(): Value {
    this.#skipEnds()
    return this.#readTrailers(this.#readAtom())
  }

  #readAtom(): Value {
    const token = this.#tokens[this.#at]
    if (token === undefined) return null
    if (token.kind === 'sign') return this.#readBracket(token.text)
    this.#at += 1
    if (token.kind === 'number') return { number: Number(token.text.replaceAll('_', '')) }
    if (token.kind === 'name') return this.#lookup(token.text)
    let { text } = token
    for (; this.#tokens[this.#at]?.kind === 'text'; this.#at++) text += this.#tokens[this.#at]?.text
    return { text }
  }

  #readBracket(sign: string): Value {
    if (sign === '(') {
      const values = this.#readList(')')
      return values.length === 1 ? (values[0] ?? null) : { items: values }
    }
    if (sign === '[') return { items: this.#readList(']') }
    if (sign === '{') this.#readList('}')
    else this.#at += 1
    return null
  }

  #readTrailers(start: Value): Value {
    let value = start
    for (;;) {
      if (this.#isSign('(')) value = this.#call(value, this.#readList(')'))
      else if (this.#isSign('[')) value = this.#readIndex(value)
      else if (this.#isSign('.') && this.#tokens[this.#at + 1]?.kind === 'name') {
        this.#at += 1
        value = memberOf(value, this.#takeName())
      } else return value
    }
  }

  #readIndex(value: Value): Value {
    const isReversed = [':', ':', '-'].every((sign, index) => this.#isSign(sign, index + 1))
    const key = textOf(this.#readList(']')[0])
    if (value && 'text' in value) return isReversed ? { text: reversed(value.text) } : null
    const name = nameOf(value)
    if (name === null || key === null) return null
    const owner = /^(.+)\.__dict__$/.exec(name)?.[1]
    if (owner !== undefined) return memberOf({ name: owner }, key)
    return NAMESPACES.test(name) ? this.#lookup(key) : { name: `${name}[]` }
  }

  #readExpression(): Value {
    if (this.#depth >= DEPTH_MAX) {
      this.#effects.push(UNKNOWN_CODE)
      this.#at = this.#tokens.length
      return null
    }
    this.#depth += 1
    let value = this.#readPrimary()
    while (!this.#endsExpression()) value = this.#readOperator(value)
    this.#depth -= 1
    return value
  }

  #endsExpression(): boolean {
    const token = this.#tokens[this.#at]
    return token === undefined || token.kind === 'end' || (token.kind === 'sign' && /[),\]}:=]/.test(token.text))
  }

  /** Only sums are calculated. */
  #readOperator(left: Value): Value {
    const token = this.#tokens[this.#at]
    if (token?.kind === 'sign' && !/[([{]/.test(token.text)) this.#at += 1
    const right = this.#readPrimary()
    return token?.text === '+' ? sumOf(left, right) : null
  }

  #call(target: Value, given: readonly Value[]): Value {
    if (!target || !('name' in target)) return null
    const { name, self } = target
    if (name === 'getattr') return this.#readAttribute(given[0] ?? null, textOf(given[1]))
    if (LOADS.test(name)) return this.#load(textOf(given[0]))
    if (CODE.test(name)) this.#runCode(given[0])
    const effect = effectOf(name, given)
    if (effect !== null) this.#effects.push(effect)
    const service = createdService(name, given)
    if (service !== null && isShell(service)) this.#createsShell = true
    return service === null ? (fold(name, self, given) ?? { name: `${name}()` }) : { name: service }
  }

  #readAttribute(owner: Value, name: string | null): Value {
    if (name !== null) return memberOf(owner, name)
    if (POWERFUL.test(nameOf(owner) ?? '')) this.#effects.push(UNKNOWN_CODE)
    return null
  }

  #load(module: string | null): Value {
    if (module === null) this.#effects.push(UNKNOWN_CODE)
    return module === null ? null : { name: module }
  }

  #runCode(value: Value | undefined): void {
    const source = textOf(value)
    // The result of `compile`, whose text was read there.
    if (nameOf(value) === 'compile()') return
    if (source === null || this.#codeDepth >= CODE_DEPTH_MAX) this.#effects.push(UNKNOWN_CODE)
    else this.#effects.push(...readCode(source, this.#codeDepth + 1))
  }
}
