/** Commands of Unix shells: what they write, as far as it can be computed. */

import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'
import { UNIX_SHELLS } from '#inspect/windows/programs.ts'
import type { Node } from '../../javascript/syntax.ts'
import {
  assign,
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
} from '../tree.ts'
import { unescaped } from './escapes.ts'
import { ARGUMENTS, functionName, LINED, noting, type Parsing, variableName } from './parsing.ts'
import { innerStatements, outputOf, spread } from './words.ts'

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
  rev: ({ input }) => helper('reverse', input),
  tac: ({ input }) => helper('lines', input),
  base64: ({ args, input }) =>
    textsOf(args).some((text) => /^(?:-[dDi]+|--decode)$/.test(text ?? ''))
      ? helper('base64', input)
      : named('sh_coded'),
  openssl: ({ args, input }) =>
    textsOf(args).includes('-d') && textsOf(args).some((text) => /base64|-a/.test(text ?? ''))
      ? helper('base64', input)
      : named('sh_coded'),
  base32: ({ args, input }) =>
    textsOf(args).some((text) => /^(?:-d|--decode)$/.test(text ?? '')) ? helper('base32', input) : named('sh_coded'),
  xxd: ({ args, input }) =>
    textsOf(args).some((text) => /^-[ps]*r/.test(text ?? '')) ? helper('fromHex', input) : named('sh_coded'),
  tr({ args, input }) {
    const [first, ...rest] = textsOf(args)
    if (first === '-d') return helper('translate', input, constant(setOf(rest[0] ?? '')), constant(null))
    const [from, to] = [first, rest[0]].map((text) => setOf(text ?? ''))
    return helper('translate', input, constant(from ?? ''), constant(to ?? ''))
  },
  sed({ args, input }) {
    const command = textsOf(args).find((text) => /^s\W/.test(text ?? ''))
    const [, , from, to, flags = ''] =
      /^s([^\w\\])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1([gi]*)$/s.exec(command ?? '') ?? []
    return from === undefined
      ? named('sh_changed')
      : helper('replace', input, constant(from), constant(to?.replaceAll('\\', '') ?? ''), constant(flags))
  },
  read({ parsing, args, input }) {
    const name = textsOf(args).find((text) => text !== null && /^[a-z_]\w*$/i.test(text))
    if (name === undefined || name === null) return NULL
    parsing.vars.add(variableName(name))
    return assign(named(variableName(name)), input)
  },
  set({ parsing, args }) {
    if (textOf(args[0]?.value) !== '--') return NULL
    const values = args.slice(1, ARGUMENTS.length + 1)
    for (const name of ARGUMENTS) parsing.vars.add(name)
    return sequence([...values.map(({ value }, i) => assign(named(ARGUMENTS[i] ?? ''), value)), NULL])
  },
  source: ({ parsing, args }) => sourced(parsing, args),
  '.': ({ parsing, args }) => sourced(parsing, args),
  tail({ parsing, args, input }) {
    const texts = textsOf(args)
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

/** Characters of the script that it reads itself. */
const OWN_MAX = 20_000
const isOwn = (text: string | null): boolean => text === '$0' || text === '$BASH_SOURCE'

/** A text that is run when the script has ended. */
export const runLater = (parsing: Parsing, text: Node): Node =>
  asCode(parsing, noting(parsing, { from: 0, to: 0 }, text))

/** The list of a text that has all of its items. */
export function itemsOf(node: Node): Node | null {
  return node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'sh_join'
    ? (node.args[0] ?? null)
    : null
}

function sourced(parsing: Parsing, [file]: readonly Word[]): Node {
  return file?.range.isFile === true
    ? asCode(parsing, noting(parsing, file.range, file.value))
    : call(named('sh_command'), file === undefined ? [] : [noting(parsing, file.range, file.value)])
}

/** Bytes. */
const SET_MAX = 256
const SIGN_WORK = 50

/** `A-Za-z`, as `tr` reads it. */
function setOf(text: string): string {
  return unescaped(text.replace(/\[:(\w+):\]/g, (_, name: string) => ownOf(CLASSES, name) ?? '')).replace(
    /([\s\S])-([\s\S])/g,
    (_, from: string, to: string) => {
      const length = Math.max(0, to.charCodeAt(0) - from.charCodeAt(0) + 1)
      if (length > SET_MAX) return ''
      charge(length * SIGN_WORK)
      return Array.from({ length }, (__, i) => String.fromCharCode(from.charCodeAt(0) + i)).join('')
    },
  )
}

const CLASSES: Readonly<Record<string, string>> = {
  lower: 'a-z',
  upper: 'A-Z',
  digit: '0-9',
  alpha: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  space: ' \\t\\n',
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
  const output = programOutput(parsing, name, [first, ...args], given ?? NULL)
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

function globNamed(node: Node): Node {
  const name = textOf(node)?.replace(/^.*\//, '')
  const found = name === undefined ? undefined : globOf(name)
  return found === undefined ? node : constant(found)
}

function programOutput(parsing: Parsing, name: string | undefined, words: readonly Word[], input: Node): Node {
  const args = words.slice(1)
  if (name !== undefined && parsing.functions.has(name))
    return call(
      named(functionName(name)),
      args.map(({ value }) => value),
    )
  const read = name === undefined ? undefined : ownOf(COMMANDS, name)
  if (read !== undefined) return read({ parsing, args, input })
  if (name !== undefined && SHELLS.has(name)) return shell({ parsing, args, input })
  const all = args.map(({ value, range }) => noting(parsing, range, value))
  return call(named('sh_command'), [...all, input])
}

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
