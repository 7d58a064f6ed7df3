/** Parses JavaScript. Skips what it does not understand, because readers of documents have dialects of their own. */

import { charge, keep } from '#inspect/core/work.ts'
import { type ClassNode, type Entry, type FunctionNode, NOTHING, type Node } from './syntax.ts'
import { createLexer, type Token } from './tokens.ts'

/** Statements, parentheses and operators within each other. A deeper part is skipped. */
export const NESTING_MAX = 300

/** Members and calls in one expression, such as `a.b().c()`. */
const SUFFIXES_MAX = 1000

const NODE_WORK = 330
const NODE_BYTES = 100
const NAME_BYTES = 50
/** For each number of a list. */
const NUMBER_BYTES = 8

export interface Program {
  body: Node[]
  /** Identifiers and members, also in code that never runs. */
  names: Set<string>
  /** false: some of it was skipped. */
  isComplete: boolean
  /** It was skipped because of a limit. */
  isCut: boolean
  /** Names that `var` and functions declare. */
  vars: readonly string[]
}

const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [
    ['??', '||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!=', '===', '!=='],
    ['<', '>', '<=', '>=', 'in', 'instanceof'],
    ['<<', '>>', '>>>'],
    ['+', '-'],
    ['*', '/', '%'],
    ['**'],
  ].flatMap((signs, i) => signs.map((sign) => [sign, i + 1])),
)
const ASSIGNMENTS = new Set(
  ['', '+', '-', '*', '/', '%', '**', '<<', '>>', '>>>', '&', '|', '^', '&&', '||', '??'].map((sign) => `${sign}=`),
)
const YIELD_ENDS: ReadonlySet<string> = new Set([';', ')', ']', '}', ',', ':'])
const UNARY = new Set(['!', '~', '+', '-', 'typeof', 'void', 'delete', 'await', 'yield'])
/** Words that cannot begin an expression. */
const STATEMENT_WORDS = new Set(['else', 'case', 'default', 'catch', 'finally', 'in', 'of', 'instanceof'])

/** Something was read that scripts have since 2015, which older hosts take for an error. */
class Modern extends Error {}
// Made once, because the stack of an error takes long.
const MODERN = new Modern()

/** Code that older hosts of scripts cannot read, in a comment that they do not take for one. */
const CONDITIONAL = /@(?:cc_on|if|set)\b/

/** A script as the host of scripts in Windows reads it. null: it has syntax of later years, which is an error there. */
export function parseOld(source: string): Program | null {
  if (CONDITIONAL.test(source)) return parse(source)
  try {
    return parse(source, 0, true)
  } catch (error) {
    if (error === MODERN) return null
    throw error
  }
}

/** `stopsAtModern`: for a script that older hosts refuse. */
export function parse(source: string, startDepth = 0, stopsAtModern = false): Program {
  const lexer = createLexer(source)
  let current: Token = lexer.next()
  let depth = startDepth
  const names = new Set<string>()
  let isComplete = true
  let isCut = false
  /** Names that the function declares whose body is read. */
  let vars = new Set<string>()
  /** The block declares variables of its own. */
  let isScope = false

  function advance(): Token {
    const token = current
    if (token.type === 'name' && !names.has(token.value)) {
      keep(NAME_BYTES)
      names.add(token.value)
    }
    current = lexer.next()
    return token
  }
  const isSign = (value: string): boolean => current.type === 'sign' && current.value === value
  const isEnd = (): boolean => current.type === 'end'
  const isWord = (value: string): boolean => current.type === 'name' && current.value === value
  function accept(value: string): boolean {
    if (!isSign(value) && !isWord(value)) return false
    advance()
    return true
  }
  /** Goes on without the sign if it is missing. */
  function expect(value: string): void {
    if (!accept(value)) isComplete = false
  }
  function create<T extends Node>(node: T): T {
    charge(NODE_WORK)
    keep(NODE_BYTES)
    return node
  }
  function nested<T>(read: () => T, otherwise: T): T {
    if (depth >= NESTING_MAX) {
      cut()
      advance()
      return otherwise
    }
    depth += 1
    const result = read()
    depth -= 1
    return result
  }

  function modern(): void {
    if (stopsAtModern) throw MODERN
  }

  // Statements

  const statements: Readonly<Record<string, () => Node>> = {
    var: () => declarations('var'),
    let: () => declarations('let'),
    const: () => declarations('let'),
    function: () => declared(functionAfter(advance())),
    class: () => {
      const node = classAfter(advance())
      isScope = true
      const target: Node = { kind: 'name', name: node.name }
      return node.name === '' ? node : create({ kind: 'declare', how: 'let', target, value: node })
    },
    if() {
      advance()
      const test = parenthesized()
      const yes = statement()
      return create({ kind: 'choice', test, yes, no: accept('else') ? statement() : null })
    },
    for: forLoop,
    while() {
      advance()
      const test = parenthesized()
      return create({ kind: 'loop', start: null, test, step: null, body: statement(), testsLast: false })
    },
    do() {
      advance()
      const body = statement()
      expect('while')
      return create({ kind: 'loop', start: null, test: parenthesized(), step: null, body, testsLast: true })
    },
    with() {
      advance()
      return create({ kind: 'with', object: parenthesized(), body: statement() })
    },
    switch: switchStatement,
    try() {
      advance()
      const body = statement()
      let parameter: Node | null = null
      let handler: Node | null = null
      if (accept('catch')) {
        if (isSign('(')) parameter = parenthesized()
        handler = statement()
      }
      return create({ kind: 'try', body, parameter, handler, last: accept('finally') ? statement() : null })
    },
    throw: () => leave('throw'),
    return: () => leave('return'),
    break: () => leave('break'),
    continue: () => leave('continue'),
    import: () => {
      const word = advance()
      if (!isSign('(') && !isSign('.')) modern()
      return expressionAfter(word)
    },
    export: () => {
      advance()
      modern()
      accept('default')
      return statement()
    },
    async: () => {
      advance()
      return statement()
    },
  }

  function statement(): Node {
    return nested(statementHere, NOTHING)
  }

  function statementHere(): Node {
    if (isSign('{')) return scopedBlock()
    if (accept(';')) return NOTHING
    const read = current.type === 'name' && Object.hasOwn(statements, current.value) ? statements[current.value] : null
    if (read) return read()
    const value = expression()
    // A label.
    if (value.kind === 'name' && accept(':')) return create({ kind: 'labelled', name: value.name, body: statement() })
    accept(';')
    return value
  }

  function scopedBlock(): Node {
    const outer = isScope
    isScope = false
    const node: Node = create({ kind: 'block', body: block(), isScope })
    isScope = outer
    return node
  }

  function block(): Node[] {
    expect('{')
    const body: Node[] = []
    while (!isSign('}') && !isEnd()) body.push(statementOrSkip())
    accept('}')
    return body
  }

  function statementOrSkip(): Node {
    const { at } = current
    const node = statement()
    if (current.at === at && !isEnd()) {
      isComplete = false
      advance()
    }
    return node
  }

  function expressionAfter(_word: Token): Node {
    const value = isSign(';') || isSign('}') ? NOTHING : expression()
    accept(';')
    return value
  }

  function leave(how: 'break' | 'continue' | 'return' | 'throw'): Node {
    advance()
    const isBare = isSign(';') || isSign('}') || isEnd() || current.afterLine
    const value = isBare ? null : expression()
    accept(';')
    const isJump = how === 'break' || how === 'continue'
    const label = isJump && value?.kind === 'name' ? value.name : null
    return create({ kind: 'leave', how, value: isJump ? null : value, label })
  }

  function parenthesized(): Node {
    expect('(')
    const value = isSign(')') ? NOTHING : expression()
    expect(')')
    return value
  }

  function declarations(how: 'var' | 'let'): Node {
    advance()
    const items: Node[] = []
    if (how === 'let') isScope = true
    do {
      const target = primary()
      if (how === 'var') addNames(target, vars)
      items.push(create({ kind: 'declare', how, target, value: accept('=') ? assignment() : null }))
    } while (accept(','))
    // In the head of a loop, each `;` counts.
    if (allowsIn) accept(';')
    return items.length === 1 && items[0] !== undefined ? items[0] : create({ kind: 'sequence', items })
  }

  function declared(node: FunctionNode): Node {
    const target: Node = { kind: 'name', name: node.name }
    addNames(target, vars)
    node.isDeclared = true
    return create({ kind: 'declare', how: 'function', target, value: node })
  }

  function forLoop(): Node {
    advance()
    accept('await')
    expect('(')
    const start = isSign(';') ? null : forStart()
    if (start !== null && (isWord('in') || isWord('of'))) {
      const ofValues = advance().value === 'of'
      const source = expression()
      expect(')')
      const target = start.kind === 'assign' || start.kind === 'declare' ? start.target : start
      const isOwn = start.kind === 'declare' && start.how === 'let'
      return create({ kind: 'each', target, isOwn, source, ofValues, body: statement() })
    }
    accept(';')
    const test = isSign(';') ? null : expression()
    accept(';')
    const step = isSign(')') ? null : expression()
    expect(')')
    return create({ kind: 'loop', start, test, step, body: statement(), testsLast: false })
  }

  let allowsIn = true
  function forStart(): Node {
    allowsIn = false
    const isVar = isWord('var')
    const start = isVar || isWord('let') || isWord('const') ? declarations(isVar ? 'var' : 'let') : expression()
    allowsIn = true
    return start
  }

  function switchStatement(): Node {
    advance()
    const value = parenthesized()
    expect('{')
    const cases: { test: Node | null; body: Node[] }[] = []
    while (!isSign('}') && !isEnd()) {
      const isDefault = accept('default')
      if (!isDefault) expect('case')
      const test = isDefault ? null : expression()
      expect(':')
      const body: Node[] = []
      while (!isSign('}') && !isWord('case') && !isWord('default') && !isEnd()) body.push(statementOrSkip())
      cases.push({ test, body })
    }
    accept('}')
    return create({ kind: 'switch', value, cases })
  }

  // Functions

  function functionAfter(_word: Token): FunctionNode {
    const isGenerator = accept('*')
    const name = current.type === 'name' ? advance().value : ''
    return Object.assign(functionOf(name, isSign('(') ? parameters() : [], block), isGenerator && { isGenerator })
  }

  /** Reads the body of a function. */
  function functionOf(name: string, params: Node[], read: () => Node[]): FunctionNode {
    const outer = { vars, isScope }
    vars = new Set()
    const body = read()
    const node: FunctionNode = create({ kind: 'function', name, params, body, vars: [...vars] })
    vars = outer.vars
    isScope = outer.isScope
    return node
  }

  function classAfter(_word: Token): ClassNode {
    modern()
    const name = current.type === 'name' && !isWord('extends') ? advance().value : ''
    const base = accept('extends') ? suffixed(primary()) : null
    const node: ClassNode = create({ kind: 'class', name, base, maker: null, entries: [] })
    expect('{')
    while (!isSign('}') && !isEnd()) {
      const { at } = current
      if (!accept(';')) classEntry(node)
      if (current.at === at && !isEnd()) {
        isComplete = false
        advance()
      }
    }
    accept('}')
    return node
  }

  function classEntry(node: ClassNode): void {
    const isStatic = modifier('static')
    if (isStatic && isSign('{')) {
      node.entries.push({ key: NOTHING, value: functionOf('', [], block), isStatic, how: 'run' })
      return
    }
    const { key, how, isGenerator } = memberKey()
    if (isSign('(')) {
      const value = method(isGenerator)
      if (!isStatic && key.kind === 'constant' && key.value === 'constructor') node.maker = value
      else node.entries.push({ key, value, isStatic, how: how ?? 'value' })
      return
    }
    // The value of a field may refer to the object.
    const value = accept('=')
      ? functionOf('', [], () => [create({ kind: 'leave', how: 'return', value: assignment(), label: null })])
      : null
    accept(';')
    if (value !== null) node.entries.push({ key, value, isStatic, how: 'field' })
  }

  function method(isGenerator: boolean): FunctionNode {
    return Object.assign(functionOf('', parameters(), block), isGenerator && { isGenerator })
  }

  /** A word that is no name of a member itself: `get`, `static` and others. */
  function modifier(word: string): boolean {
    if (!isWord(word)) return false
    const { value } = lexer.peek()
    if (value === '(' || value === '=' || value === ';' || value === '}' || value === ',' || value === ':') return false
    advance()
    return true
  }

  /** `get name`, `async *name`, `[name]` */
  function memberKey(): { key: Node; token: Token; how: 'get' | 'set' | null; isGenerator: boolean } {
    modifier('async')
    const isGenerator = accept('*')
    const how = modifier('get') ? 'get' : modifier('set') ? 'set' : null
    const token = current
    const key = accept('[') ? computedKey() : create({ kind: 'constant', value: keyOf(advance()) })
    return { key, token, how, isGenerator }
  }

  function parameters(): Node[] {
    return targetsIn(parenthesized())
  }

  function arrow(params: Node): Node {
    advance()
    modern()
    const node = functionOf('', targetsIn(params), () =>
      isSign('{') ? block() : [create({ kind: 'leave', how: 'return', value: assignment(), label: null })],
    )
    node.isArrow = true
    return node
  }

  // Expressions

  function expression(): Node {
    const first = assignment()
    if (!isSign(',')) return first
    const items = [first]
    while (accept(',')) if (!isSign(')')) items.push(assignment())
    return create({ kind: 'sequence', items })
  }

  function assignment(): Node {
    return nested(() => {
      const target = conditional()
      if (isSign('=>')) return arrow(target)
      if (current.type !== 'sign' || !ASSIGNMENTS.has(current.value)) return target
      const operator = advance().value
      return create({ kind: 'assign', operator, target, value: assignment() })
    }, NOTHING)
  }

  function conditional(): Node {
    const test = binary(0)
    if (!accept('?')) return test
    const yes = assignment()
    expect(':')
    return create({ kind: 'choice', test, yes, no: assignment() })
  }

  function binary(level: number): Node {
    let left = unary()
    for (;;) {
      const operator = current.value
      const precedence = isOperator() ? (PRECEDENCE.get(operator) ?? 0) : 0
      if (precedence <= level || (operator === 'in' && !allowsIn)) return left
      advance()
      left = create({ kind: 'binary', operator, left, right: nested(() => binary(precedence), NOTHING) })
    }
  }

  const isOperator = (): boolean => current.type === 'sign' || current.type === 'name'

  /** `yield`, `yield a + b`, `yield* all` */
  function yielded(): Node {
    const isEach = accept('*')
    const operand = YIELD_ENDS.has(current.value) && current.type === 'sign' ? NOTHING : nested(assignment, NOTHING)
    return create({ kind: 'unary', operator: isEach ? 'yield*' : 'yield', operand })
  }

  function unary(): Node {
    if (isOperator() && UNARY.has(current.value)) {
      const operator = advance().value
      if (operator === 'yield') return yielded()
      return create({ kind: 'unary', operator, operand: nested(unary, NOTHING) })
    }
    if (isSign('++') || isSign('--')) {
      const step = advance().value === '++' ? 1 : -1
      return create({ kind: 'update', step, target: nested(unary, NOTHING), isPrefix: true })
    }
    return updated(suffixed(isWord('new') ? created() : primary()))
  }

  function updated(target: Node): Node {
    if ((!isSign('++') && !isSign('--')) || current.afterLine) return target
    return create({ kind: 'update', step: advance().value === '++' ? 1 : -1, target, isPrefix: false })
  }

  function created(): Node {
    advance()
    if (accept('.')) return create({ kind: 'name', name: advance().value })
    const callee = members(isWord('new') ? nested(created, NOTHING) : primary())
    return create({ kind: 'call', callee, args: isSign('(') ? list('(', ')') : [], isNew: true })
  }

  function members(first: Node): Node {
    let node = first
    for (let i = 0; i < SUFFIXES_MAX; i++) {
      const next = memberOf(node)
      if (next === null) return node
      node = next
    }
    return cut()
  }

  function cut(): Node {
    isComplete = false
    isCut = true
    return NOTHING
  }

  function memberOf(owner: Node): Node | null {
    if (isSign('.') || isSign('?.')) {
      advance()
      if (isSign('[') || isSign('(')) return owner
      return create({ kind: 'member', owner, key: create({ kind: 'constant', value: advance().value }) })
    }
    if (!accept('[')) return null
    const key = isSign(']') ? NOTHING : expression()
    expect(']')
    return create({ kind: 'member', owner, key })
  }

  function suffixed(first: Node): Node {
    let node = first
    for (let i = 0; i < SUFFIXES_MAX; i++) {
      const member = memberOf(node)
      if (member !== null) node = member
      else if (isSign('(')) node = create({ kind: 'call', callee: node, args: list('(', ')'), isNew: false })
      else if (current.type === 'template')
        node = create({ kind: 'call', callee: node, args: taggedBy(advance()), isNew: false })
      else return node
    }
    return cut()
  }

  function list(open: string, close: string): Node[] {
    expect(open)
    const items: Node[] = []
    while (!isSign(close) && !isEnd()) {
      const { at } = current
      items.push(isSign(',') ? NOTHING : item())
      if (!isSign(close)) expect(',')
      if (current.at === at) advance()
    }
    accept(close)
    return items
  }

  function item(): Node {
    if (!accept('...')) return assignment()
    modern()
    return create({ kind: 'spread', value: assignment() })
  }

  const signs: Readonly<Record<string, (token: Token) => Node>> = {
    '(': () => {
      advance()
      if (isSign(')')) {
        advance()
        return create({ kind: 'sequence', items: [] })
      }
      const inner = expression()
      expect(')')
      return inner
    },
    '[': () => array(),
    '{': () => object(),
    '/': pattern,
    '/=': pattern,
    '...': () => {
      advance()
      modern()
      return create({ kind: 'spread', value: assignment() })
    },
  }

  function primary(): Node {
    const token = current
    if (token.type === 'sign') return Object.hasOwn(signs, token.value) ? nested(() => signed(token), NOTHING) : NOTHING
    if (token.type === 'end' || (token.type === 'name' && STATEMENT_WORDS.has(token.value))) return NOTHING
    advance()
    return token.type === 'name' ? word(token) : literal(token)
  }

  function literal(token: Token): Node {
    if (token.type === 'template') return template(token)
    return create({ kind: 'constant', value: token.type === 'number' ? numberOf(token.value) : token.value })
  }

  function word(token: Token): Node {
    if (token.value === 'function') return functionAfter(token)
    if (token.value === 'async' && (isWord('function') || isSign('('))) return primary()
    if (token.value === 'class') return classAfter(token)
    return CONSTANTS.get(token.value) ?? create({ kind: 'name', name: token.value })
  }

  function signed(token: Token): Node {
    return signs[token.value]?.(token) ?? NOTHING
  }

  function pattern(token: Token): Node {
    const found = lexer.patternAt(token)
    if (found === null) isComplete = false
    current = lexer.next()
    return found === null ? NOTHING : create({ kind: 'pattern', pattern: found })
  }

  function array(): Node {
    const values = lexer.numbersAt(current)
    if (values === null) return create({ kind: 'array', items: list('[', ']') })
    keep(values.length * NUMBER_BYTES)
    current = lexer.next()
    return create({ kind: 'numbers', values })
  }

  function object(): Node {
    expect('{')
    const entries: Entry[] = []
    while (!isSign('}') && !isEnd()) {
      const { at } = current
      entries.push(objectEntry())
      if (!isSign('}')) expect(',')
      if (current.at === at) advance()
    }
    accept('}')
    return create({ kind: 'object', entries })
  }

  function objectEntry(): Entry {
    if (accept('...')) {
      modern()
      return { key: NOTHING, value: create({ kind: 'spread', value: assignment() }) }
    }
    const { key, token, how, isGenerator } = memberKey()
    if (isSign('(')) return { key, value: method(isGenerator), ...(how !== null && { how }) }
    if (accept(':')) return { key, value: assignment() }
    const name: Node = create({ kind: 'name', name: token.value })
    // The default of a target.
    return {
      key,
      value: accept('=') ? create({ kind: 'assign', operator: '=', target: name, value: assignment() }) : name,
    }
  }

  function computedKey(): Node {
    const key = assignment()
    expect(']')
    return key
  }

  /** The texts of a template as a list, and what stands between them. */
  function taggedBy({ parts = [] }: Token): Node[] {
    modern()
    const items = parts.map(({ text }) => create<Node>({ kind: 'constant', value: text }))
    return [create({ kind: 'array', items }), ...parts.flatMap(({ code }) => (code === null ? [] : [codeIn(code)]))]
  }

  function codeIn(code: string): Node {
    const inner = nested(() => parse(code, depth), {
      ...{ body: [], names: new Set<string>() },
      ...{ isComplete: false, isCut: true, vars: [] },
    })
    for (const name of inner.names) names.add(name)
    if (!inner.isComplete) isComplete = false
    if (inner.isCut) isCut = true
    return inner.body.at(-1) ?? NOTHING
  }

  function template({ parts = [] }: Token): Node {
    modern()
    return parts
      .flatMap(({ text, code }): Node[] => {
        const constant: Node = create({ kind: 'constant', value: text })
        return code === null ? [constant] : [constant, codeIn(code)]
      })
      .reduce((left, right) => create({ kind: 'binary', operator: '+', left, right }))
  }

  const body: Node[] = []
  while (!isEnd()) body.push(statementOrSkip())
  return { body, names, isComplete, isCut, vars: [...vars] }
}

const CONSTANTS: ReadonlyMap<string, Node> = new Map(
  (
    [
      ['true', true],
      ['false', false],
      ['null', null],
      ['undefined', undefined],
      ['NaN', Number.NaN],
      ['Infinity', Number.POSITIVE_INFINITY],
    ] as const
  ).map(([name, value]) => [name, { kind: 'constant', value }]),
)

function targetsIn(node: Node): Node[] {
  return node.kind === 'sequence' ? node.items : [node]
}

/** Adds the names that a target declares. */
function addNames(target: Node, names: Set<string>): void {
  if (target.kind === 'name') names.add(target.name)
  if (target.kind === 'assign') addNames(target.target, names)
  if (target.kind === 'spread') addNames(target.value, names)
  if (target.kind === 'array') for (const item of target.items) addNames(item, names)
  if (target.kind === 'object') for (const { value } of target.entries) addNames(value, names)
}

function keyOf({ type, value }: Token): string {
  return type === 'number' ? String(numberOf(value)) : value
}

function numberOf(text: string): number {
  const digits = text.replaceAll('_', '').replace(/n$/, '')
  // `010` is octal in old scripts.
  return /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
}
