/** Commands of Unix shells: what they write, as far as it can be computed. */

import { ownOf } from '#inspect/core/own.ts'
import { UNIX_SHELLS } from '#inspect/windows/programs.ts'
import type { Node } from '../../javascript/syntax.ts'
import {
  assign,
  binary,
  call,
  constant,
  helper,
  joined,
  list,
  method,
  NULL,
  named,
  notedPlace,
  type Range,
  sequence,
  unary,
} from '../tree.ts'
import { arithmetic } from './arithmetic.ts'
import { FILTERS } from './filters.ts'
import { ARGUMENTS, functionName, LINED, noting, type Parsing, TESTS, targetName, variableName } from './parsing.ts'
import { innerStatements, itemsOf, outputOf, spread } from './words.ts'

interface Word {
  value: Node
  range: Range
}

interface Call {
  parsing: Parsing
  args: readonly Word[]
  /** Standard input. */
  input: Node
}

const textOf = (node: Node | undefined): string | null =>
  node?.kind === 'constant' && typeof node.value === 'string' ? node.value : null
const textsOf = (args: readonly Word[]): (string | null)[] => args.map(({ value }) => textOf(value))
const SPACE = constant(' ')

function spaced(args: readonly Word[]): Node {
  return joined(args.flatMap(({ value }, i) => (i === 0 ? [value] : [SPACE, value])))
}

/** The value is run as code. */
function asCode(parsing: Parsing, value: Node): Node {
  const place = notedPlace(value)
  if (place !== null) parsing.codes.push(place)
  return call(named('sh_ran'), [value])
}

const rangeOf = (args: readonly Word[]): Range => ({ from: args[0]?.range.from ?? 0, to: args.at(-1)?.range.to ?? 0 })

const COMMANDS: Readonly<Record<string, (call: Call) => Node>> = {
  echo({ args }) {
    const isFlag = (text: string | null): boolean => text !== null && /^-[neE]+$/.test(text)
    const texts = textsOf(args)
    const count = texts.findIndex((text) => !isFlag(text))
    const rest = args.slice(count === -1 ? args.length : count)
    const isEscaped = texts.slice(0, Math.max(count, 0)).some((text) => text?.includes('e'))
    const text = spaced(rest)
    const written = isEscaped ? helper('unescape', text) : text
    if (rest.length > 0 && !texts.slice(0, Math.max(count, 0)).some((flag) => flag?.includes('n'))) LINED.add(written)
    return written
  },
  printf({ parsing, args }) {
    const isStored = textOf(args[0]?.value) === '-v'
    const name = isStored ? textOf(args[1]?.value) : null
    const [format, ...rest] = (isStored ? args.slice(2) : args).filter(({ value }) => textOf(value) !== '--')
    const values = rest.map(({ value }) => itemsOf(value) ?? list([value]))
    const all = values.reduce<Node>((left, right) => method(left, 'concat', right), values.shift() ?? list([]))
    const text = helper('printf', helper('text', format?.value ?? NULL), all)
    if (name === null) return text
    parsing.vars.add(variableName(name))
    return assign(named(variableName(name)), text)
  },
  cat: ({ input }) => input,
  tee: ({ input }) => input,
  read({ parsing, args, input }) {
    const names = textsOf(args).filter((text) => text !== null && /^[a-z_]\w*$/i.test(text))
    const targets = names.map((name) => named(variableName(targetName(parsing, name ?? ''))))
    for (const name of names) parsing.vars.add(variableName(targetName(parsing, name ?? '')))
    const [first] = targets
    if (first === undefined) return NULL
    if (input === NULL) return sequence([...targets.map((target) => assign(target, named('sh_read'))), NULL])
    const isList = textsOf(args).some((text) => /^-\w*a$/.test(text ?? ''))
    if (targets.length === 1 && !isList) return assign(first, input)
    const separator = parsing.separator ?? named('undefined')
    if (isList) return assign(first, helper('fields', input, separator))
    const fields = helper('fields', input, separator, constant(targets.length))
    return sequence([...targets.map((target, i) => assign(target, helper('argument', fields, constant(i)))), NULL])
  },
  mapfile: readLines,
  readarray: readLines,
  set({ args }) {
    if (textOf(args[0]?.value) !== '--') return NULL
    const values = args.slice(1).map(({ value }) => value)
    return sequence([assign(named(ARGUMENTS), list(values)), NULL])
  },
  shift({ parsing, args }) {
    if (!parsing.hasArguments) return NULL
    const count = constant(Number(textOf(args[0]?.value) ?? 1))
    return sequence([assign(named(ARGUMENTS), method(named(ARGUMENTS), 'slice', count)), NULL])
  },
  let: ({ parsing, args }) => sequence([...textsOf(args).map((text) => arithmetic(parsing, text ?? '@')), NULL]),
  '[': tested,
  '[[': tested,
  test: tested,
  seq({ args }) {
    const values = args.map(({ value }) => value)
    const last = values.at(-1) ?? NULL
    const first = values.length > 1 ? (values[0] ?? NULL) : constant(1)
    return helper('sequence', first, values.length > 2 ? (values[1] ?? NULL) : constant(1), last)
  },
  source: ({ parsing, args }) => sourced(parsing, args),
  '.': ({ parsing, args }) => sourced(parsing, args),
  tail({ parsing, args, input }) {
    const texts = textsOf(args)
    const [, how, count] = /-(c|n?) ?(\d{1,9})/.exec(texts.join(' ')) ?? []
    if (count !== undefined) return helper(how === 'c' ? 'last' : 'lastRows', input, constant(Number(count)))
    const [, line] = /\+(\d{1,6})/.exec(texts.join(' ')) ?? []
    if (line === undefined || !texts.some(isOwn)) return input
    return constant(
      parsing.source
        .split('\n')
        .slice(Number(line) - 1)
        .join('\n')
        .slice(0, OWN_MAX),
    )
  },
  crontab: ({ parsing, input }) => (input === NULL ? NULL : runLater(parsing, input)),
  cd: () => NULL,
  shopt: () => NULL,
  alias: () => NULL,
  eval({ parsing, args }) {
    const code = asCode(parsing, noting(parsing, rangeOf(args), spaced(args)))
    const texts = textsOf(args)
    if (texts.includes(null)) return code
    // What it assigns are variables of the script.
    return sequence([code, outputOf(innerStatements(parsing, texts.join(' ')))])
  },
}

function readLines({ parsing, args, input }: Call): Node {
  const name = textsOf(args).findLast((text) => text !== null && /^[a-z_]\w*$/i.test(text))
  if (name === undefined || name === null || input === NULL) return NULL
  parsing.vars.add(variableName(name))
  return assign(named(variableName(name)), helper('rows', input))
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '-lt': '<',
  '-le': '<=',
  '-gt': '>',
  '-ge': '>=',
  '-eq': '==',
  '-ne': '!=',
  '=': '==',
  '==': '==',
  '!=': '!=',
}

/** `[ $i -lt 9 ]`, of variables of the script. Others are not known. */
function tested({ args }: Call): Node {
  const node = call(named('sh_command'), [])
  const values = args.map(({ value }) => value).filter((value) => !/^\]{1,2}$/.test(textOf(value) ?? ''))
  const test = values.every(isCounted) ? testOf(values) : null
  if (test !== null) TESTS.set(node, test)
  return node
}

function testOf([first = NULL, second, third]: readonly Node[]): Node | null {
  const how = textOf(first)
  if (second !== undefined && third === undefined && (how === '-n' || how === '-z'))
    return binary(how === '-n' ? '!=' : '==', helper('text', second), constant(''))
  const operator = ownOf(COMPARISONS, textOf(second) ?? '')
  if (operator === undefined || third === undefined) return null
  return (textOf(second) ?? '').startsWith('-')
    ? binary(operator, unary('+', first), unary('+', third))
    : binary(operator, helper('text', first), helper('text', third))
}

const isCounted = (node: Node): boolean =>
  (node.kind === 'constant' && !String(node.value).startsWith('$')) ||
  (node.kind === 'name' && node.name.startsWith('sv_')) ||
  (node.kind === 'member' && isCounted(node.key)) ||
  (node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'sh_argument')

/** Characters of the script that it reads itself. */
const OWN_MAX = 20_000
const isOwn = (text: string | null): boolean => text === '$0' || text === '$BASH_SOURCE'

/** A text that is run when the script has ended. */
export const runLater = (parsing: Parsing, text: Node): Node =>
  asCode(parsing, noting(parsing, { from: 0, to: 0 }, text))

function sourced(parsing: Parsing, [file]: readonly Word[]): Node {
  return file?.range.isFile === true
    ? asCode(parsing, noting(parsing, file.range, file.value))
    : call(named('sh_command'), file === undefined ? [] : [noting(parsing, file.range, file.value)])
}

/** They run the command behind them. */
const PREFIXES = new Set(['command', 'sudo', 'nohup', 'exec', 'env', 'builtin', 'busybox', 'time', 'setsid', 'xargs'])
const SHELLS: ReadonlySet<string> = new Set([...UNIX_SHELLS, '$0', '$SHELL', '$BASH'])

export function commandOutput(parsing: Parsing, words: readonly Word[], given: Node | null): Node {
  const start = words.findIndex(({ value }, i) => i === words.length - 1 || !PREFIXES.has(programOf(value) ?? ''))
  const first = words[start]
  if (first === undefined) return NULL
  const parts = spread(first.value)
  const args = [
    ...parts.slice(1).map((value) => ({ value, range: { ...first.range, isElsewhere: true } })),
    ...words.slice(start + 1),
  ]
  const name = programOf(parts[0])
  const output = programOutput(parsing, name, [first, ...args], given ?? parsing.input)
  const value = replacedName(parsing, first, parts, name)
  if (value === null) return output
  const noted = noting(parsing, { ...first.range, isRaw: true }, value)
  return LINED.has(output) ? lined(sequence([noted, output])) : sequence([noted, output])
}

/** The name as it is when the shell has replaced what it replaces. null: as it is written. */
function replacedName(parsing: Parsing, { value, range }: Word, parts: Node[], name = ''): Node | null {
  const alias = parsing.aliases.get(name)
  if (alias !== undefined) return constant(alias)
  if (parts.length > 1) return constant(parts.map(textOf).join(' '))
  const found = globNamed(value)
  return textOf(found) === parsing.source.slice(range.from, range.to) ? null : found
}

function lined(node: Node): Node {
  LINED.add(node)
  return node
}

const programOf = (node: Node | undefined): string | undefined => {
  const name = textOf(node)?.replace(/^.*\//, '')
  return name === undefined ? undefined : (globOf(name) ?? name)
}

/** Programs that a pattern of file names may stand for. */
const GLOBBED = ['sh', 'bash', 'curl', 'wget', 'base64', 'python3', 'python', 'perl', 'nc']

/** `c?rl` */
function globOf(name: string): string | undefined {
  if (!/^[\w?]{2,10}$/.test(name) || !name.includes('?')) return undefined
  return GLOBBED.find(
    (each) => each.length === name.length && [...name].every((sign, i) => sign === '?' || sign === each[i]),
  )
}

/** `"${all[@]}"` stands for as many arguments as there are items. */
function spreadItems(value: Node): Node[] {
  const items = itemsOf(value)
  return [items === null ? value : { kind: 'spread', value: items }]
}

function globNamed(node: Node): Node {
  const name = textOf(node)?.replace(/^.*\//, '')
  const found = name === undefined ? undefined : globOf(name)
  return found === undefined ? node : constant(found)
}

function programOutput(parsing: Parsing, name: string | undefined, words: readonly Word[], input: Node): Node {
  const args = words.slice(1)
  if (name !== undefined && parsing.functions.has(name))
    return call(named(functionName(name)), [input, ...args.flatMap(({ value }) => spreadItems(value))])
  const read = name === undefined ? undefined : ownOf(COMMANDS, name)
  if (read !== undefined) return read({ parsing, args, input })
  const filter = name === undefined ? undefined : ownOf(FILTERS, name)
  if (filter !== undefined) return filter(textsOf(args), input)
  if (name !== undefined && SHELLS.has(name)) return shell({ parsing, args, input })
  // Of another language, but what it does is looked for in any.
  if (name !== undefined && READERS.test(name) && input !== NULL && args.every(isDash))
    return asCode(parsing, noting(parsing, { from: 0, to: 0 }, input))
  const all = args.map(({ value, range }) => noting(parsing, range, value))
  return call(named('sh_command'), [...all, input])
}

/** They run what they are given, as a shell does. */
const READERS = /^(?:python[\d.]{0,4}|perl|ruby|node|php)$/
const isDash = ({ value }: Word): boolean => textOf(value)?.startsWith('-') === true

/** `sh -c text`, or text that it is given. */
function shell({ parsing, args, input }: Call): Node {
  const at = textsOf(args).findIndex((text) => /^-[a-z]*c$/.test(text ?? ''))
  const code = at === -1 ? undefined : args[at + 1]
  if (code !== undefined) return asCode(parsing, noting(parsing, code.range, code.value))
  const file = args.find(({ range }) => range.isFile === true)
  if (file !== undefined) return asCode(parsing, noting(parsing, file.range, file.value))
  const values = args.map(({ value, range }) => noting(parsing, range, value))
  const text = input.kind === 'assign' || input === NULL ? input : noting(parsing, { from: 0, to: 0 }, input)
  return call(named('sh_command'), [...values, asCode(parsing, text)])
}
