/** Pipelines and commands of PowerShell. */

import type { Node } from '../../javascript/syntax.ts'
import { accept, isEnd, nested, peek, take } from '../source.ts'
import {
  assign,
  binary,
  call,
  constant,
  helper,
  joined,
  lambda,
  list,
  memberAt,
  NULL,
  named,
  returning,
  sequence,
} from '../tree.ts'
import { scriptBlock } from './blocks.ts'
import { commandNode } from './calls.ts'
import { logical } from './operators.ts'
import { LINE_SPACE, noting, type Parsing, SPACE, since, variableName } from './parsing.ts'
import { postfix } from './values.ts'

const WORD = /(?:[^\s;|&(){}<>,'"$`#@]|`[^\r\n]|(?<=[^\s;|&(){}])#)(?:[^\s;|&(){}<>,'"$`]|`[^\r\n])*/y

const WORD_PART = /(?:[^\s;|&(){}<>,'"$`]|`[^\r\n])+/y

const ASSIGNMENT = /(?:\+|-|\*|\/|%|\?\?)?=(?!=)/y

const REDIRECTION = /(?:\*|\d)?>{1,2}(?:&\d|[ \t]*(?:\$null|[^\s;|)}]+))/iy

/** Values that are given from one command to the next, or assigned. */
export function pipeline(parsing: Parsing): Node {
  take(parsing, SPACE)
  const from = parsing.at
  let value = stage(parsing, null)
  const assigned = assignment(parsing, from, value)
  if (assigned !== null) return assigned
  for (;;) {
    take(parsing, SPACE)
    if (take(parsing, REDIRECTION)) continue
    const before = parsing.at
    take(parsing, LINE_SPACE)
    if (accept(parsing, '||') || accept(parsing, '&&')) {
      take(parsing, LINE_SPACE)
      value = sequence([value, stage(parsing, null)])
    } else if (accept(parsing, '|')) {
      take(parsing, LINE_SPACE)
      value = stage(parsing, noting(parsing, { from, to: before }, value))
    } else {
      parsing.at = before
      return value
    }
  }
}

/** Their value is that of what runs in them. */
const STATEMENTS: ReadonlySet<string> = new Set(['block', 'choice', 'labelled'])

function assignment(parsing: Parsing, from: number, target: Node): Node | null {
  take(parsing, SPACE)
  const operator = take(parsing, ASSIGNMENT)?.[0]
  if (operator === undefined) return null
  take(parsing, LINE_SPACE)
  const value = nested(parsing, () => parsing.grammar.statement(parsing)) ?? NULL
  const given = STATEMENTS.has(value.kind) ? blockValue(value) : value
  const to = targetOf(parsing, from) ?? placeIn(target)
  if (!SHARED.test(parsing.source.slice(from, from + SHARED_LENGTH))) declareAll(parsing, to)
  if (to.kind === 'array') return operator === '=' ? assign(to, given) : given
  if (to.kind !== 'name' && to.kind !== 'member') return given
  return assign(
    to,
    operator === '=' ? given : operator === '+=' ? helper('add', to, given) : binary(operator.slice(0, -1), to, given),
  )
}

/** `$global:name` is no variable of the function that sets it. */
const SHARED = /^\$\{?(?:global|script):/i
const SHARED_LENGTH = 20

function declareAll({ scope }: Parsing, target: Node): void {
  for (const each of target.kind === 'array' ? target.items : [target])
    if (each.kind === 'name') scope.vars.add(each.name)
}

/** `$x = if (…) { … } else { … }` */
const blockValue = (node: Node): Node => call(lambda([], returning([node]), []), [])

/** `[type]$name`, which a cast would make a value of. */
function targetOf({ source }: Parsing, from: number): Node | null {
  const [, scoped_, braced_] =
    /^(?:\[[\w.]+(?:\[\])?\]\s*)*\$(?:\{([^}]{1,200})\}|((?:\w+:)?\w+))\s*(?:[-+*/%]|\?\?)?=/.exec(
      source.slice(from, from + 400),
    ) ?? []
  const name = scoped_ ?? braced_
  return name === undefined ? null : named(variableName(name))
}

/** `$list[index]` */
function placeIn(target: Node): Node {
  const isItem = target.kind === 'call' && target.callee.kind === 'name' && target.callee.name === 'sh_at'
  const [owner, key] = isItem ? target.args : []
  if (owner === undefined || key === undefined) return target
  return memberAt(
    owner,
    key.kind === 'constant' && typeof key.value === 'string' ? constant(key.value.toLowerCase()) : key,
  )
}

/** A value or a command. `input`: from the stage before. */
function stage(parsing: Parsing, input: Node | null): Node {
  take(parsing, SPACE)
  const from = parsing.at
  if ((peek(parsing) === '&' || peek(parsing) === '.') && /[\s$"'({]/.test(peek(parsing, 1)))
    return invoked(parsing, input)
  if (input === null && isValueAhead(parsing)) return logical(parsing)
  if (peek(parsing) === '%' || peek(parsing) === '?') parsing.at++
  else if (take(parsing, WORD) === null) return input ?? logical(parsing)
  const word = parsing.source.slice(from, parsing.at).replaceAll('`', '')
  return commandNode(parsing, word, null, input, { from, to: parsing.at })
}

/** `& name …`, `. name …` */
function invoked(parsing: Parsing, input: Node | null): Node {
  parsing.at++
  take(parsing, SPACE)
  const from = parsing.at
  const value = peek(parsing) === '{' ? scriptBlock(parsing) : (argument(parsing) ?? NULL)
  return commandNode(parsing, '', value, input, { from, to: parsing.at })
}

function isValueAhead(parsing: Parsing): boolean {
  const sign = peek(parsing)
  if (/[$"'(@[{\u2018\u201c!]/.test(sign)) return true
  if (/[\d.]/.test(sign))
    return /^[\d.][\w.]*(?:[\s;)},|+*/%-]|$)/.test(parsing.source.slice(parsing.at, parsing.at + 40))
  return /^(?:-(?:join|split|not|bnot|\d|\$|\()|\+\+|--|,)/i.test(parsing.source.slice(parsing.at, parsing.at + 8))
}

/** `@name`: its items or entries are the arguments. */
const isSplat = (node: Node): boolean =>
  node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'sh_splat'

/** Arguments of a command, each with its name. */
export function commandArguments(parsing: Parsing): { name: string | null; value: Node }[] {
  const found: { name: string | null; value: Node }[] = []
  for (;;) {
    take(parsing, SPACE)
    if (take(parsing, REDIRECTION)) continue
    const [, name] = take(parsing, /-([a-z][\w-]{0,99}):?(?=[\s;|)}:'"$(]|$)/iy) ?? []
    take(parsing, SPACE)
    const from = parsing.at
    const value = argument(parsing)
    if (value === null && name === undefined) return found
    found.push({
      name: name?.toLowerCase() ?? null,
      value:
        value === null ? constant(true) : noting(parsing, { ...since(parsing, from), isRaw: isSplat(value) }, value),
    })
  }
}

/** null: the command ends here. */
export function argument(parsing: Parsing): Node | null {
  const items: Node[] = []
  for (;;) {
    const item = nested(parsing, () => oneArgument(parsing))
    if (item === null) break
    items.push(item)
    const before = parsing.at
    take(parsing, SPACE)
    if (!accept(parsing, ',')) {
      parsing.at = before
      break
    }
    take(parsing, LINE_SPACE)
  }
  const [only] = items
  return items.length > 1 ? list(items) : (only ?? null)
}

const NUMBER_WORD = /(?:0x[\da-f]{1,16}|\d{1,16})(?![\w.\\/:-])/iy

/** A word of letters, texts and variables side by side. */
function oneArgument(parsing: Parsing): Node | null {
  if (peek(parsing) === '{') return scriptBlock(parsing)
  const [number] = take(parsing, NUMBER_WORD) ?? []
  if (number !== undefined) return constant(Number(number))
  const parts: Node[] = []
  while (!isEnd(parsing)) {
    const part = argumentPart(parsing)
    if (part === null) break
    parts.push(part)
  }
  const [only] = parts
  return parts.length > 1 ? joined(parts) : (only ?? null)
}

function argumentPart(parsing: Parsing): Node | null {
  if (/[$"'(@\u2018\u2019\u201c\u201d]/.test(peek(parsing))) return postfix(parsing)
  const [word] = take(parsing, WORD_PART) ?? []
  return word === undefined ? null : constant(word.replaceAll('`', ''))
}
