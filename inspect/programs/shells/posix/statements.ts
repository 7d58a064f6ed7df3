/** Statements of Unix shells. */

import { charge } from '#inspect/core/work.ts'
import type { Node } from '../../javascript/syntax.ts'
import { accept, isEnd, nested, peek, take } from '../source.ts'
import {
  assign,
  block,
  call,
  choice,
  constant,
  declared,
  each,
  helper,
  joined,
  lambda,
  list,
  loop,
  member,
  memberAt,
  method,
  NULL,
  named,
  type Range,
  record,
  sequence,
  unary,
} from '../tree.ts'
import { arithmetic } from './arithmetic.ts'
import { commandOutput, runLater } from './commands.ts'
import {
  ARGUMENTS,
  functionName,
  INPUT,
  LINES,
  NAME,
  noting,
  type Parsing,
  SPACE,
  TESTS,
  targetName,
  variableName,
} from './parsing.ts'
import { expandedText, globbed, indexOf, itemsOf, outputOf, outputs, spread, word } from './words.ts'

const HERE = /<<(-?)[ \t]*(['"\\]?)(\w+)['"]?/y

const REDIRECTION = /(?:\d|&)?(?:<<<|>>|[<>]&?|>\|)[ \t]*/y

const ASSIGNMENT = /([a-z_]\w{0,99})(?:\[([^\]\s]{1,40})\])?(\+?)=/iy

const FUNCTION =
  /(?:function[ \t]{1,9})?([a-z_][\w-]{0,99})[ \t]{0,9}\(\)\s{0,99}(?=[{(])|function[ \t]{1,9}([a-z_][\w-]{0,99})\s{0,99}(?=[{(])/iy

/** `then`, `do` and others end lists of commands. */
export const CLOSING = /(?:then|else|elif|fi|do|done|esac)(?![\w-])|\}|\)|;;/y

export function statements(parsing: Parsing): Node[] {
  const found: Node[] = []
  for (;;) {
    skip(parsing)
    if (isEnd(parsing) || isClosing(parsing)) return found
    const before = parsing.at
    found.push(nested(parsing, () => chain(parsing)))
    if (parsing.at === before) parsing.at++
  }
}

/** To the next statement, past texts that belong to the line. */
function skip(parsing: Parsing): void {
  // A group that is not closed ends past the end.
  while (!isEnd(parsing)) {
    const [line] = take(parsing, /(?:[ \t]|;(?!;))*(?:#[^\r\n]*)?(?:&(?!&)[ \t]*)?/y) ?? []
    if (!take(parsing, /\r?\n/y)) {
      if (line === '' || take(parsing, LINES)?.[0] === '') return
      continue
    }
    for (const { isPlain, end, place } of parsing.pending.splice(0)) {
      const from = parsing.at
      const text = hereText(parsing, end)
      place(
        isPlain
          ? constant(text.replace(/\r?\n$/, ''))
          : expandedText(
              { ...parsing, source: parsing.source.slice(0, from + text.replace(/\r?\n$/, '').length), at: from },
              false,
            ),
      )
    }
  }
}

/** Up to its last line. One without extends to the end. */
function hereText(parsing: Parsing, end: string): string {
  const { source, at } = parsing
  const last = new RegExp(`^\\t*${end}\\r?$`, 'gm')
  last.lastIndex = at
  const found = last.exec(source)
  const text = source.slice(at, found?.index)
  charge(text.length)
  parsing.at = found === null ? source.length : last.lastIndex
  return text
}

function isClosing(parsing: Parsing): boolean {
  const before = parsing.at
  const found = take(parsing, CLOSING) !== null
  parsing.at = before
  return found
}

/** `a && b || c` */
function chain(parsing: Parsing): Node {
  const found = [pipeline(parsing)]
  for (;;) {
    take(parsing, SPACE)
    if (!accept(parsing, '&&') && !accept(parsing, '||')) break
    skip(parsing)
    found.push(
      choice(
        named('sh_status'),
        nested(parsing, () => pipeline(parsing)),
        null,
      ),
    )
  }
  const [only = NULL] = found
  return found.length > 1 ? block(found) : only
}

function pipeline(parsing: Parsing): Node {
  take(parsing, SPACE)
  let from = parsing.at
  let value = command(parsing, null)
  for (;;) {
    take(parsing, SPACE)
    if (!/^\|(?!\|)/.test(parsing.source.slice(parsing.at, parsing.at + 2))) return value
    const to = parsing.at
    parsing.at++
    accept(parsing, '&')
    skip(parsing)
    value = nested(parsing, () => command(parsing, noting(parsing, { from, to }, value)))
    from = Math.min(from, to)
  }
}

const COMPOUND: Readonly<Record<string, (parsing: Parsing, input: Node | null) => Node>> = {
  if: conditional,
  while: (parsing, input) => rowByRow(parsing, input) ?? repeated(parsing, true),
  until: (parsing) => repeated(parsing, false),
  for: listed,
  case: chosen,
}

function command(parsing: Parsing, input: Node | null): Node {
  take(parsing, SPACE)
  take(parsing, /!(?=\s)[ \t]*/y)
  const [word] = take(parsing, /(?:if|while|until|for|case)(?![\w=-])/y) ?? []
  const read = word === undefined ? undefined : COMPOUND[word]
  if (read !== undefined) return read(parsing, input)
  const [, sum] = take(parsing, SUM) ?? []
  if (sum !== undefined) return counted(arithmetic(parsing, sum))
  const [, one, other] = take(parsing, FUNCTION) ?? []
  const name = one ?? other
  if (name !== undefined)
    return declared(
      functionName(name),
      lambda([INPUT], [GIVEN, ...outputs(withArguments(parsing))], ['sh_out', ARGUMENTS], functionName(name)),
    )
  if (/^(?:\{\s|\((?!\())/.test(parsing.source.slice(parsing.at, parsing.at + 2))) return outputOf(grouped(parsing))
  return simple(parsing, input)
}

/** `((i++))`, without brackets within others. */
const SUM = /\(\(((?:[^()]|\([^()]{0,100}\)){0,200})\)\)/y

/** It writes nothing, and may be a condition. */
function counted(value: Node): Node {
  const node = sequence([value, NULL])
  TESTS.set(node, value)
  return node
}

const ALL: Node = { kind: 'array', items: [{ kind: 'spread', value: { kind: 'name', name: 'arguments' } }] }
/** The first argument of a function is what it reads. */
const GIVEN: Node = assign(named(ARGUMENTS), method(ALL, 'slice', constant(1)))

/** The body of a function. */
function withArguments(parsing: Parsing): Node[] {
  const { hasArguments, input } = parsing
  parsing.hasArguments = true
  parsing.input = named(INPUT)
  const body = grouped(parsing)
  parsing.hasArguments = hasArguments
  parsing.input = input
  return body
}

function grouped(parsing: Parsing): Node[] {
  if (!accept(parsing, '{') && !accept(parsing, '(')) return []
  const body = nested(parsing, () => statements(parsing))
  if (!accept(parsing, '}')) accept(parsing, ')')
  return body
}

function until(parsing: Parsing, word: RegExp): Node[] {
  const body = nested(parsing, () => statements(parsing))
  take(parsing, word)
  return body
}

function conditional(parsing: Parsing): Node {
  const test = sequence([...until(parsing, /then/y).filter(isValue), named('sh_status')])
  const yes = block(nested(parsing, () => statements(parsing)))
  if (take(parsing, /elif(?!\w)/y))
    return choice(
      test,
      yes,
      nested(parsing, () => conditional(parsing)),
    )
  const no = take(parsing, /else(?!\w)/y) ? block(nested(parsing, () => statements(parsing))) : null
  take(parsing, /fi(?!\w)/y)
  return choice(test, yes, no)
}

const isValue = ({ kind }: Node): boolean => !['block', 'choice', 'loop', 'each', 'declare', 'leave'].includes(kind)

function repeated(parsing: Parsing, isWhile: boolean): Node {
  const before = until(parsing, /do/y).filter(isValue)
  const last = before.at(-1)
  const known = last === undefined ? undefined : TESTS.get(last)
  const test = known === undefined ? named('sh_status') : isWhile ? known : unary('!', known)
  return loop(null, sequence([...before, test]), null, block(until(parsing, /done/y)))
}

const READING =
  /[ \t]{0,9}(?:IFS=[^\s;]{0,20}[ \t]{1,9})?read(?:[ \t]{1,9}-r)?[ \t]{1,9}([a-z_]\w{0,60})[ \t]{0,9}(?:;|\r?\n)\s{0,99}do(?!\w)/iy

/** A loop over the lines of what it reads. null: it is another one. */
function rowByRow(parsing: Parsing, input: Node | null): Node | null {
  const [, name] = take(parsing, READING) ?? []
  if (name === undefined) return null
  parsing.vars.add(variableName(name))
  const body = block(until(parsing, /done/y))
  const { given } = commandWords(parsing, input)
  // The text of a here-document comes when the line has ended.
  const rows = given === null ? named('sh_read') : helper('rows', given)
  return each(named(variableName(name)), rows, body)
}

const COUNTER = /[ \t]{0,9}\(\(([^;\r\n]{0,200});([^;\r\n]{0,200});([^;\r\n]{0,200}?)\)\)/y

/** `for ((i = 0; i < 9; i++))`. null: it is another loop. */
function counting(parsing: Parsing): Node | null {
  const [, start, test, step] = take(parsing, COUNTER) ?? []
  if (start === undefined) return null
  const [first, condition, next] = [start, test, step].map((text = '') =>
    text.trim() === '' ? null : arithmetic(parsing, text),
  )
  skip(parsing)
  take(parsing, /do(?!\w)/y)
  return loop(first ?? null, condition ?? null, next ?? null, block(until(parsing, /done/y)))
}

function listed(parsing: Parsing): Node {
  const counter = counting(parsing)
  if (counter !== null) return counter
  take(parsing, SPACE)
  const name = take(parsing, NAME)?.[0] ?? '_'
  parsing.vars.add(variableName(name))
  const isNamed = take(parsing, /[ \t]{0,99}in(?!\w)[ \t]{0,99}/y) !== null
  const isSplit = /[$`]/.test(peek(parsing))
  const items = isNamed ? itemsIn(words(parsing), isSplit) : named(ARGUMENTS)
  skip(parsing)
  take(parsing, /do(?!\w)/y)
  return each(named(variableName(name)), items, block(until(parsing, /done/y)))
}

/** Arrays stand for their items. */
function itemsIn(found: readonly Node[], isSplit: boolean): Node {
  const [only] = found
  if (only === undefined || found.length > 1) return list([...found])
  const all = itemsOf(only)
  if (all !== null) return helper('items', all)
  return isSplit && only.kind !== 'constant' ? helper('fields', helper('text', only)) : list([only])
}

function chosen(parsing: Parsing): Node {
  take(parsing, SPACE)
  const value = word(parsing) ?? NULL
  skip(parsing)
  take(parsing, /in(?!\w)/y)
  let all: Node | null = null
  const arms: { test: Node; body: Node }[] = []
  for (;;) {
    skip(parsing)
    if (isEnd(parsing) || take(parsing, /esac(?!\w)/y)) break
    const [, pattern = ''] = take(parsing, /\(?([^)\n]{0,400})\)/y) ?? []
    const before = parsing.at
    const test = armTest(value, pattern)
    arms.push({ test, body: block(nested(parsing, () => statements(parsing))) })
    take(parsing, /;;&?/y)
    if (parsing.at === before && pattern === '') parsing.at++
  }
  for (const { test, body } of arms.reverse()) all = choice(test, body, all)
  return all ?? NULL
}

/** What a variable of the computer is, is not known. */
const isOpen = (node: Node): boolean =>
  (node.kind === 'constant' && String(node.value).startsWith('$')) ||
  (node.kind === 'binary' && (isOpen(node.left) || isOpen(node.right)))

function armTest(value: Node, pattern: string): Node {
  if (/[$`[\\]/.test(pattern) || isOpen(value)) return named('sh_status')
  const texts = pattern.split('|').map((each) => each.trim().replace(/^["']|["']$/g, ''))
  return /[*?]/.test(pattern)
    ? helper('globbed', value, constant(`^(?:${texts.map((each) => globbed(each, '[^]*')).join('|')})$`))
    : call(member(list(texts.map(constant)), 'includes'), [value])
}

function words(parsing: Parsing): Node[] {
  const found: Node[] = []
  for (;;) {
    take(parsing, SPACE)
    const next = word(parsing)
    if (next === null) return found
    found.push(...spread(next))
  }
}

/** Assignments, a name and arguments. */
function simple(parsing: Parsing, input: Node | null): Node {
  const assigned: Node[] = []
  let separator: Node | null = null
  for (;;) {
    take(parsing, SPACE)
    const [declaring = ''] =
      take(
        parsing,
        /(?:export|local|readonly|declare|typeset)(?:[ \t]{1,9}-\w{1,9}){0,4}[ \t]{1,9}(?=\w{1,99}\+?=)/y,
      ) ?? []
    if (/-n\s/.test(declaring) && take(parsing, /(?:\w{1,99})=["']?\w{1,99}["']?(?=\s|;|$)/y)) continue
    const isSeparator = parsing.source.startsWith('IFS=', parsing.at)
    const node = assignment(parsing)
    if (node === null) break
    assigned.push(node)
    if (isSeparator && node.kind === 'assign') separator = node.value
  }
  const from = parsing.at
  const { found, given } = commandWords(parsing, input)
  if (found.length === 0) return assigned.length === 1 ? (assigned[0] ?? NULL) : sequence(assigned)
  parsing.separator = separator
  const output = commandOutput(parsing, found, given)
  parsing.separator = null
  const end = parsing.source.slice(Math.max(from, parsing.at - END_MAX), parsing.at)
  return RUN_LATER.test(end) ? runLater(parsing, output) : output
}

/** Into a file that shells run when they start. */
const RUN_LATER = />\s{0,9}["']?[^\s"'<>]{0,200}\.?(?:bashrc|(?:bash_|z)?profile|bash_login|zshrc|zshenv)(?=["'\s]|$)/
/** Characters of a command in which it says where its output goes. */
const END_MAX = 400

/** The words of a command, and what it reads: from a pipe, a text or a here-document. */
function commandWords(parsing: Parsing, input: Node | null) {
  const found: { value: Node; range: Range }[] = []
  let given = input
  for (;;) {
    take(parsing, SPACE)
    const here = take(parsing, HERE)
    if (here !== null) {
      given = hereDocument(parsing, here)
      continue
    }
    const file = processOutput(parsing)
    const [redirection] = file === null ? (take(parsing, REDIRECTION) ?? []) : []
    const from = parsing.at
    if (redirection !== undefined) {
      given = redirected(parsing, redirection) ?? given
      continue
    }
    const value = file?.value ?? word(parsing)
    if (value === null) return { found, given }
    found.push({ value, range: file?.range ?? { from, to: parsing.at } })
  }
}

/** What a command reads from behind the sign. null: a file, or it is written to. */
function redirected(parsing: Parsing, sign: string): Node | null {
  const output = processOutput(parsing)
  const value = output?.value ?? word(parsing)
  return sign.startsWith('<<<') || (sign.startsWith('<') && output !== null) ? value : null
}

/** `<(…)`: a file with what commands write. null: there is none. */
function processOutput(parsing: Parsing): { value: Node; range: Range } | null {
  const from = parsing.at
  if (!accept(parsing, '<(')) return null
  const body = nested(parsing, () => statements(parsing))
  accept(parsing, ')')
  return { value: outputOf(body), range: { from, to: parsing.at, isFile: true } }
}

/** Its text begins behind the line. */
function hereDocument(parsing: Parsing, [, , quote, end = '']: RegExpExecArray): Node {
  const items: Node[] = []
  parsing.pending.push({ isPlain: quote !== '', end, place: (text) => items.push(text) })
  return helper('join', { kind: 'array', items }, NULL)
}

function assignment(parsing: Parsing): Node | null {
  const found = take(parsing, ASSIGNMENT)
  if (found === null) return null
  const [, name = '', index, plus] = found
  const variable = variableName(targetName(parsing, name))
  const target = named(variable)
  parsing.vars.add(variable)
  if (accept(parsing, '(')) {
    const items = listItems(parsing)
    return assign(target, plus === '+' ? method(helper('list', target), 'concat', items) : items)
  }
  const value = word(parsing) ?? NULL
  if (index !== undefined) {
    const key = indexOf(parsing, index)
    const isList = key.kind !== 'constant' || typeof key.value === 'number'
    if (parsing.lists.get(variable)?.kind !== 'object')
      parsing.lists.set(variable, isList ? { kind: 'array', items: [] } : record([]))
    return assign(memberAt(target, key), value)
  }
  return assign(target, plus === '+' ? joined([target, value]) : value)
}

/** Up to the bracket that closes the list. */
function listItems(parsing: Parsing): Node {
  const items: Node[] = []
  const entries: { key: Node; value: Node }[] = []
  while (!isEnd(parsing) && !accept(parsing, ')')) {
    take(parsing, /(?:\s+|#[^\n]*)*/y)
    const before = parsing.at
    const [, key] = take(parsing, /\[([^\]\s]{1,40})\]=/y) ?? []
    const item = word(parsing)
    if (key !== undefined) entries.push({ key: indexOf(parsing, key.replace(/^["']|["']$/g, '')), value: item ?? NULL })
    else if (item !== null) items.push(...spread(item))
    if (parsing.at === before && peek(parsing) !== ')') parsing.at++
  }
  return entries.length > 0 ? record(entries) : list(items)
}
