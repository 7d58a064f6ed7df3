/** Statements of PowerShell. */

import type { Node } from '../../javascript/syntax.ts'
import { accept, isEnd, nested, peek, take } from '../source.ts'
import {
  assign,
  attempt,
  binary,
  block,
  choice,
  constant,
  declared,
  each,
  helper,
  lambda,
  leave,
  list,
  loop,
  NULL,
  named,
  returning,
  unary,
} from '../tree.ts'
import { braced, bracketed, scoped } from './blocks.ts'
import { defineClass } from './classes.ts'
import { argument, pipeline } from './commands.ts'
import { comparison } from './operators.ts'
import {
  functionName,
  LINE_SPACE,
  LINES,
  type Parsing,
  SPACE,
  STATEMENT_END,
  TYPE,
  VARIABLE,
  variableName,
} from './parsing.ts'

const NAME = /[a-z_][\w:.\\-]*/iy

const KEYWORD =
  /(?:if|while|do|for|foreach|switch|try|function|filter|workflow|return|throw|break|continue|param|begin|process|end|trap|exit|class|enum|using|until)(?![\w-])/iy

export function statements(parsing: Parsing): Node[] {
  const found: Node[] = []
  for (;;) {
    take(parsing, LINES)
    if (isEnd(parsing) || peek(parsing) === '}' || peek(parsing) === ')') return found
    const before = parsing.at
    const node = nested(parsing, () => statement(parsing))
    if (node !== null) found.push(node)
    // What cannot be read is passed over.
    if (parsing.at === before) parsing.at++
  }
}

export function statement(parsing: Parsing): Node | null {
  const before = parsing.at
  const word = take(parsing, KEYWORD)?.[0].toLowerCase()
  if (word === undefined) return pipeline(parsing)
  const isCommand =
    word === 'foreach' &&
    !/\(/.test(
      parsing.source
        .slice(parsing.at, parsing.at + 20)
        .trimStart()
        .charAt(0),
    )
  const read = isCommand ? undefined : STATEMENTS[word]
  if (read !== undefined) return read(parsing)
  parsing.at = before
  return pipeline(parsing)
}

const STATEMENTS: Readonly<Record<string, (parsing: Parsing) => Node | null>> = {
  if: conditional,
  while: (parsing) => loop(null, bracketed(parsing), null, block(braced(parsing))),
  do(parsing) {
    const body = block(braced(parsing))
    take(parsing, LINE_SPACE)
    const isUntil = take(parsing, /until/iy) !== null
    if (!isUntil) take(parsing, /while/iy)
    const test = bracketed(parsing)
    return loop(null, isUntil ? unary('!', test) : test, null, body, true)
  },
  for: counted,
  foreach: listed,
  switch: chosen,
  try: attempted,
  function: defined,
  filter: defined,
  workflow: defined,
  return: (parsing) => leave('return', valueBehind(parsing)),
  exit: (parsing) => leave('throw', valueBehind(parsing)),
  throw: (parsing) => leave('throw', valueBehind(parsing)),
  break: () => leave('break'),
  continue: () => leave('continue'),
  param(parsing) {
    take(parsing, LINE_SPACE)
    return accept(parsing, '(') ? parameters(parsing) : null
  },
  begin: (parsing) => block(braced(parsing)),
  process: (parsing) => block(braced(parsing)),
  end: (parsing) => block(braced(parsing)),
  trap: (parsing) => {
    take(parsing, TYPE)
    return choice(named('sh_unknown'), block(braced(parsing)), null)
  },
  class: defineClass,
  using(parsing) {
    take(parsing, STATEMENT_END)
    return null
  },
}

function valueBehind(parsing: Parsing): Node | null {
  take(parsing, SPACE)
  return isEnd(parsing) || /[;}\r\n]/.test(peek(parsing)) ? null : pipeline(parsing)
}

/** Defaults of parameters. */
function parameters(parsing: Parsing): Node {
  const defaults: Node[] = []
  while (!isEnd(parsing)) {
    take(parsing, /(?:[\s,]+|\[[^[\]\r\n]*\]|<#[\s\S]*?(?:#>|$)|#[^\r\n]*)*/y)
    if (accept(parsing, ')')) break
    const [, , name = ''] = take(parsing, VARIABLE) ?? []
    if (name === '') {
      // An attribute with brackets in it.
      if (!accept(parsing, '(')) parsing.at++
      else bracketRest(parsing)
      continue
    }
    take(parsing, LINE_SPACE)
    if (!accept(parsing, '=')) continue
    take(parsing, LINE_SPACE)
    const target = named(variableName(name))
    const value = nested(parsing, () => comparison(parsing))
    defaults.push(choice(binary('===', target, { kind: 'constant', value: undefined }), assign(target, value), null))
  }
  return block(defaults)
}

function bracketRest(parsing: Parsing): void {
  take(parsing, /[^()]{0,200}\)/y)
}

function conditional(parsing: Parsing): Node {
  const test = bracketed(parsing)
  const yes = block(braced(parsing))
  const before = parsing.at
  take(parsing, LINE_SPACE)
  if (take(parsing, /elseif(?!\w)/iy))
    return choice(
      test,
      yes,
      nested(parsing, () => conditional(parsing)),
    )
  if (take(parsing, /else(?!\w)/iy)) return choice(test, yes, block(braced(parsing)))
  parsing.at = before
  return choice(test, yes, null)
}

function counted(parsing: Parsing): Node {
  take(parsing, LINE_SPACE)
  accept(parsing, '(')
  const part = (end: RegExp): Node | null => {
    take(parsing, LINE_SPACE)
    const value = end.test(peek(parsing)) ? null : nested(parsing, () => pipeline(parsing))
    take(parsing, LINE_SPACE)
    if (!accept(parsing, ';')) accept(parsing, ')')
    return value
  }
  const [start, test, step] = [part(/;/), part(/;/), part(/\)/)]
  return loop(start, test, step, block(braced(parsing)))
}

function listed(parsing: Parsing): Node {
  take(parsing, LINE_SPACE)
  accept(parsing, '(')
  take(parsing, LINE_SPACE)
  const [, , name = '_'] = take(parsing, VARIABLE) ?? []
  take(parsing, /\s{0,99}in\s{0,99}/iy)
  const source = nested(parsing, () => pipeline(parsing))
  take(parsing, LINE_SPACE)
  accept(parsing, ')')
  parsing.scope.vars.add(variableName(name))
  return each(named(variableName(name)), helper('list', source), block(braced(parsing)))
}

function chosen(parsing: Parsing): Node {
  const isPattern = /-regex/i.test(take(parsing, /(?:\s{0,99}-\w{1,99}){0,9}/y)?.[0] ?? '')
  const value = bracketed(parsing)
  take(parsing, LINE_SPACE)
  accept(parsing, '{')
  const arms: { test: Node; body: Node }[] = []
  for (;;) {
    take(parsing, LINES)
    if (isEnd(parsing) || accept(parsing, '}')) break
    const before = parsing.at
    const isDefault = take(parsing, /default(?!\w)/iy) !== null
    const wanted = isDefault ? NULL : nested(parsing, () => argument(parsing) ?? NULL)
    const test = isDefault ? constant(true) : isPattern ? helper('isMatch', value, wanted) : binary('==', value, wanted)
    arms.push({ test, body: block(braced(parsing)) })
    if (parsing.at === before) parsing.at++
  }
  // Its arms are left by `break`.
  const all = arms.reduceRight<Node | null>((rest, { test, body }) => choice(test, body, rest), null)
  return { kind: 'labelled', name: '', body: loop(null, null, null, block([all ?? NULL, leave('break')])) }
}

function attempted(parsing: Parsing): Node {
  const body = block(braced(parsing))
  let handler: Node | null = null
  let last: Node | null = null
  for (;;) {
    const before = parsing.at
    take(parsing, LINE_SPACE)
    if (take(parsing, /catch(?!\w)/iy)) {
      take(parsing, /(?:[\s,]{0,99}\[[\w.]{1,99}\]){0,9}/y)
      handler = block(braced(parsing))
    } else if (take(parsing, /finally(?!\w)/iy)) last = block(braced(parsing))
    else {
      parsing.at = before
      return attempt(body, CAUGHT, handler ?? (last === null ? block([]) : null), last)
    }
  }
}

/** What was thrown, in its handler. */
const CAUGHT = named('sv__')

const UNNAMED = ['sv__', 'sv_args_1', 'sv_args_2', 'sv_args_3']

function defined(parsing: Parsing): Node {
  take(parsing, SPACE)
  const name = take(parsing, NAME)?.[0].replace(/^\w+:/, '') ?? ''
  take(parsing, LINE_SPACE)
  const { result, vars } = scoped(parsing, () => {
    const defaults = accept(parsing, '(') ? [parameters(parsing)] : []
    return [...defaults, ...braced(parsing)]
  })
  const params = parsing.functions.get(name.toLowerCase()) ?? []
  const isNamed = params.length > 0
  // Arguments without names.
  const given = isNamed ? [] : [assign(named('sv_args'), list(UNNAMED.map(named)))]
  const own = isNamed ? vars : [...vars, 'sv_args']
  return declared(
    functionName(name),
    lambda(isNamed ? params : UNNAMED, [...given, ...returning(result)], own, functionName(name)),
  )
}
