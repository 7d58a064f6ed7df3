/** Commands, methods and types of PowerShell, as far as they compute values. */

import { ownOf } from '#inspect/core/own.ts'
import { words } from '#inspect/core/words.ts'
import { RUNNING } from '#inspect/windows/powershell.ts'
import type { Node } from '../../javascript/syntax.ts'
import {
  assign,
  call,
  constant,
  helper,
  joined,
  leave,
  list,
  making,
  member,
  memberAt,
  method,
  NULL,
  named,
  notedPlace,
  type Range,
  record,
  sequence,
} from '../tree.ts'
import {
  aliasName,
  functionName,
  type Grammar,
  notedElsewhere,
  noting,
  type Parsing,
  typeName,
  variableName,
} from './parsing.ts'

type Argument = ReturnType<Grammar['commandArguments']>[number]

interface Call {
  parsing: Parsing
  args: readonly Argument[]
  input: Node | null
}

const textOf = (node: Node | undefined): string | null => {
  const plain = node?.kind === 'assign' ? node.value : node
  return plain?.kind === 'constant' && typeof plain.value === 'string' ? plain.value : null
}
const functionIn = (args: readonly Argument[]): Node | undefined =>
  args.map(({ value }) => value).find(({ kind }) => kind === 'function')
const positional = (args: readonly Argument[]): Node[] =>
  args.filter(({ name }) => name === null).map(({ value }) => value)
const given = (args: readonly Argument[], name: string, at: number): Node | undefined =>
  args.find((each) => each.name !== null && name.startsWith(each.name))?.value ?? positional(args)[at]

/** The value is run as code. */
function asCode(parsing: Parsing, value: Node | undefined): void {
  const place = value === undefined ? null : notedPlace(value)
  if (place !== null) parsing.codes.push(place)
}

/** A block that is run in the scope around it. */
function inScope(parsing: Parsing, block: Node | undefined): Node | undefined {
  if (block?.kind !== 'function') return block
  for (const name of block.vars) if (name !== 'sv__') parsing.scope.vars.add(name)
  return { ...block, vars: block.vars.filter((name) => name === 'sv__') }
}

/** An object that texts are added to. null: it is another one. */
function emptyOf(type: string): Node | null {
  if (/\[\]$|arraylist$|generic\.list\b|^array$/.test(type)) return list([])
  return type.endsWith('stringbuilder') ? list([]) : null
}

/** `-ArgumentList a, b` */
const argumentsOf = (value: Node | undefined): Node[] => {
  const plain = value?.kind === 'assign' ? value.value : value
  return plain === undefined ? [] : plain.kind === 'array' ? plain.items : [plain]
}

/** What `@name` gives to a parameter. null: it is another argument. */
function splatted(value: Node, name: string, at: number): Node | null {
  const plain = value.kind === 'assign' ? value.value : value
  const isSplat = plain.kind === 'call' && plain.callee.kind === 'name' && plain.callee.name === 'sh_splat'
  const [source] = isSplat && plain.kind === 'call' ? plain.args : []
  return source === undefined ? null : helper('splatted', source, constant(name), constant(at))
}

const COMMANDS: Readonly<Record<string, (call: Call) => Node>> = {
  'foreach-object': ({ parsing, args, input }) =>
    method(helper('list', input ?? NULL), 'map', inScope(parsing, functionIn(args)) ?? NULL),
  'write-output': ({ args, input }) => positional(args)[0] ?? input ?? NULL,
  'out-string': ({ input }) => helper('join', input ?? NULL, constant('\r\n')),
  'join-string': ({ input }) => helper('join', input ?? NULL, NULL),
  'where-object': ({ parsing, args, input }) => {
    const test = inScope(parsing, functionIn(args))
    return test === undefined ? (input ?? NULL) : method(helper('list', input ?? NULL), 'filter', test)
  },
  'select-object': ({ args, input }) => {
    const at = args.find(({ name }) => name !== null && name.length > 1 && 'index'.startsWith(name))?.value
    if (at !== undefined) return helper('at', helper('list', input ?? NULL), at)
    const isLast = args.some(({ name }) => name === 'last')
    return isLast ? helper('at', helper('list', input ?? NULL), constant(-1)) : (input ?? NULL)
  },
  'sort-object': ({ parsing, args, input }) => {
    const by = inScope(parsing, functionIn(args))
    const items = helper('list', input ?? NULL)
    return by === undefined ? method(items, 'sort') : helper('sortBy', items, by)
  },
  'convertfrom-json': ({ args, input }) => helper('json', input ?? positional(args)[0] ?? NULL),
  'convertfrom-stringdata': ({ args, input }) => helper('data', input ?? positional(args)[0] ?? NULL),
  'convertto-securestring': ({ args, input }) => positional(args)[0] ?? input ?? NULL,
  'set-variable': ({ args, parsing }) => {
    const name = textOf(given(args, 'name', 0))
    if (name === null) return NULL
    parsing.scope.vars.add(variableName(name))
    return assign(named(variableName(name)), given(args, 'value', 1) ?? NULL)
  },
  'set-alias': ({ args, parsing }) => {
    const name = textOf(given(args, 'name', 0))?.toLowerCase()
    const value = given(args, 'value', 1)
    if (name === undefined || value === undefined) return NULL
    const known = textOf(value)
    if (known !== null) parsing.targets.set(name, known.toLowerCase())
    return assign(named(aliasName(name)), value)
  },
  'add-member': ({ args, input }) => {
    const [name, value] = [given(args, 'name', 1), given(args, 'value', 2)]
    const on = input ?? given(args, 'inputobject', 0)
    return on && name && value ? helper('put', on, name, value) : NULL
  },
  'get-command': ({ args }) => {
    const name = textOf(given(args, 'name', 0))
    const found = name === null || !/[*?]/.test(name) ? undefined : COMMAND_NAMES.find((each) => isLike(each, name))
    return found === undefined ? (given(args, 'name', 0) ?? NULL) : helper('text', constant(found))
  },
  'write-error': ({ args }) => {
    const isLast = args.some(({ name, value }) => name !== null && 'erroraction'.startsWith(name) && isStop(value))
    const message = given(args, 'message', 0) ?? NULL
    return isLast ? leave('throw', message) : message
  },
  'get-variable': ({ args }) => {
    const name = textOf(given(args, 'name', 0))
    const value = name === null ? NULL : named(variableName(name))
    return args.some((each) => each.name !== null && 'valueonly'.startsWith(each.name))
      ? value
      : record([{ key: constant('value'), value }])
  },
  'get-item': ({ args }) => {
    const name = /^(variable|env):(?:\\)?(\w+)$/i.exec(textOf(given(args, 'path', 0)) ?? '')
    return name === null
      ? named('sh_item')
      : record([{ key: constant('value'), value: named(variableName(`${name[1]}:${name[2]}`)) }])
  },
  'set-item': ({ args, parsing }) => {
    const name = /^(variable|env):(?:\\)?(\w+)$/i.exec(textOf(given(args, 'path', 0)) ?? '')
    if (name === null) return NULL
    const variable = variableName(`${name[1]}:${name[2]}`)
    parsing.scope.vars.add(variable)
    return assign(named(variable), given(args, 'value', 1) ?? NULL)
  },
  'new-object': ({ args, parsing }) => {
    const values = positional(args)
    const type = (textOf(given(args, 'typename', 0)) ?? '').toLowerCase().replace(/^system\./, '')
    if (type === 'string') return helper('join', values[1] ?? NULL, NULL)
    if (parsing.types.has(type)) return making(named(typeName(type)), argumentsOf(given(args, 'argumentlist', 1)))
    if (/^ps(?:custom)?object$|^management\.automation\.ps/.test(type)) return given(args, 'property', 1) ?? record([])
    if (type.endsWith('exception')) return given(args, 'argumentlist', 1) ?? NULL
    return madeOf(type, argumentsOf(given(args, 'argumentlist', 1))) ?? call(named('sh_object'), values)
  },
  'invoke-expression': ({ parsing, args, input }) => {
    const code = positional(args)[0] ?? args[0]?.value ?? input ?? NULL
    const inner = splatted(code, 'command', 0)
    return codeNode(parsing, inner === null ? code : notedElsewhere(parsing, inner))
  },
  'invoke-command': ({ args }) => {
    const run = functionIn(args)
    return run === undefined ? named('sh_ran') : call(run, [given(args, 'argumentlist', 1) ?? NULL])
  },
}

/** Commands that matter, which a script may look for by a part of the name. */
const COMMAND_NAMES = words(
  'invoke-expression invoke-webrequest invoke-restmethod start-process invoke-item new-object invoke-command',
)

/** `*` stands for any letters, `?` for one. */
function isLike(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const fits = (part: string, at: number): boolean =>
    [...part].every((sign, i) => sign === '?' || sign === name[at + i])
  if (pattern.length > name.length + 2 || !fits(first, 0)) return false
  let at = first.length
  for (const part of rest) {
    while (at + part.length <= name.length && !fits(part, at)) at++
    if (at + part.length > name.length) return false
    at += part.length
  }
  return rest.at(-1) === '' || at === name.length
}

const isStop = (value: Node): boolean => textOf(value)?.toLowerCase() === 'stop'

const ALIASES: Readonly<Record<string, string>> = {
  ...{ '%': 'foreach-object', foreach: 'foreach-object', echo: 'write-output', write: 'write-output' },
  ...{ '?': 'where-object', where: 'where-object', select: 'select-object' },
  ...{
    sv: 'set-variable',
    set: 'set-variable',
    'new-variable': 'set-variable',
    nv: 'set-variable',
    gv: 'get-variable',
  },
  ...{
    gi: 'get-item',
    'get-childitem': 'get-item',
    gci: 'get-item',
    ls: 'get-item',
    dir: 'get-item',
    'get-content': 'get-item',
  },
  ...{ sort: 'sort-object' },
  ...{ gcm: 'get-command', 'new-alias': 'set-alias', sal: 'set-alias', nal: 'set-alias' },
  ...{ gc: 'get-item', si: 'set-item', 'new-item': 'set-item', icm: 'invoke-command' },
  ...Object.fromEntries(RUNNING.map((name) => [name, 'invoke-expression'])),
}

/** `value`: of what is called, if that is no word. */
export function commandNode(
  parsing: Parsing,
  word: string,
  value: Node | null,
  input: Node | null,
  range: Range,
): Node {
  const isBlock = value?.kind === 'function'
  const written = value === null ? word : textOf(value)
  const callee = value === null || isBlock || written !== null ? value : noting(parsing, range, value)
  const args = parsing.grammar.commandArguments(parsing)
  const values = [...args.map((each) => each.value), ...(input === null ? [] : [input])]
  if (callee !== null && isBlock) return call(callee, values)
  if (value === null && parsing.aliases.has(word.toLowerCase()))
    return aliased({ parsing, args, input }, word.toLowerCase(), values, range)
  // A name that is computed may run text.
  if (written === null) for (const each of values) asCode(parsing, each)
  return written === null
    ? call(callee ?? NULL, values)
    : namedCommand({ parsing, args, input }, written.toLowerCase(), values)
}

/** Another name of a command, which is what it was said to be. */
function aliased({ parsing, args, input }: Call, name: string, values: Node[], range: Range): Node {
  const target = noting(parsing, { ...range, isRaw: true }, named(aliasName(name)))
  const known = parsing.targets.get(name)
  if (known === undefined) for (const each of values) asCode(parsing, each)
  return sequence([target, namedCommand({ parsing, args, input }, known ?? '', values)])
}

function namedCommand({ parsing, args, input }: Call, name: string, values: Node[]): Node {
  const params = parsing.functions.get(name)
  if (params !== undefined) {
    const all = ordered(args, params)
    if (parsing.filters.has(name) && input !== null && all.length === 0)
      return method(helper('list', input), 'map', named(functionName(name)))
    return call(named(functionName(name)), all.length === 0 && input !== null ? [input] : all)
  }
  const read = ownOf(COMMANDS, ownOf(ALIASES, name) ?? name)
  return read?.({ parsing, args, input }) ?? call(named(`sh_command_${name.replace(/\W/g, '_')}`), values)
}

/** In the order of the parameters, whichever are named. */
function ordered(args: readonly Argument[], params: readonly string[]): Node[] {
  const rest = positional(args)
  const found = params.map((param) => {
    const name = param.slice('sv_'.length)
    return args.find((each) => each.name !== null && name.startsWith(each.name))?.value ?? rest.shift()
  })
  const [first] = found
  const given = first === undefined ? [] : params.map((param, i) => splatted(first, param.slice('sv_'.length), i))
  if (given.length > 0 && given.every((each) => each !== null)) return given
  const all = [...found, ...rest]
  while (all.length > 0 && all.at(-1) === undefined) all.pop()
  return all.map((each) => each ?? { kind: 'constant', value: undefined })
}

const ENCODING = 'encoding:'

const METHODS: Readonly<Record<string, (owner: Node, args: Node[], parsing: Parsing) => Node>> = {
  replace: (owner, [from = NULL, to = NULL]) => helper('swap', owner, from, to),
  substring: (owner, args) => helper('part', owner, ...args),
  tochararray: (owner) => helper('chars', owner),
  split: (owner, [by = constant(' ')]) => helper('splitAny', owner, by),
  toupper: (owner) => method(owner, 'toUpperCase'),
  toupperinvariant: (owner) => method(owner, 'toUpperCase'),
  tolower: (owner) => method(owner, 'toLowerCase'),
  tolowerinvariant: (owner) => method(owner, 'toLowerCase'),
  trim: (owner) => method(owner, 'trim'),
  insert: (owner, args) => helper('insert', owner, ...args),
  remove: (owner, args) => helper('remove', owner, ...args),
  tostring: (owner) => helper('join', owner, NULL),
  padleft: (owner, args) => method(owner, 'padStart', ...args),
  padright: (owner, args) => method(owner, 'padEnd', ...args),
  indexof: (owner, args) => method(owner, 'indexOf', ...args),
  startswith: (owner, args) => method(owner, 'startsWith', ...args),
  endswith: (owner, args) => method(owner, 'endsWith', ...args),
  chars: (owner, args) => method(owner, 'charAt', ...args),
  append: (owner, args) => helper('append', owner, ...args),
  appendline: (owner, args) => helper('append', owner, ...args),
  addscript: (_owner, [code], parsing) => codeNode(parsing, code),
  add: (owner, args) => (args.length === 2 ? helper('put', owner, ...args) : method(owner, 'push', ...args)),
  set_item: (owner, args) => helper('put', owner, ...args),
  getnewclosure: (owner) => owner,
  readtoend: (owner) => helper('bytes', owner),
  toarray: (owner) => owner,
  expandstring: (_owner, [text = NULL], parsing) => helper('expand', text, record(ownVariables(parsing))),
  invoke: (owner, args) => call(owner, args),
  invokereturnasis: (owner, args) => call(owner, args),
  getstring: (owner, [bytes = NULL]) => helper(textOf(owner) === `${ENCODING}unicode` ? 'wide' : 'bytes', bytes),
  getbytes: (_owner, [text = NULL]) => text,
  newscriptblock: (_owner, [code], parsing) => codeNode(parsing, code),
  invokescript: (_owner, [code], parsing) => codeNode(parsing, code),
}

const VARIABLES_MAX = 50

/** Variables that a text may name. */
const ownVariables = ({ scope }: Parsing): { key: Node; value: Node }[] =>
  [...scope.vars]
    .filter((name) => /^sv_\w{1,60}$/.test(name) && name !== 'sv__')
    .slice(0, VARIABLES_MAX)
    .sort((a, b) => b.length - a.length)
    .map((name) => ({ key: constant(name.slice('sv_'.length)), value: named(name) }))

function codeNode(parsing: Parsing, code: Node = NULL): Node {
  asCode(parsing, code)
  return call(named('sh_ran'), [code])
}

/** A text that is thrown is the whole error. */
const ERROR_MEMBERS: ReadonlySet<string> = new Set(words('exception message targetobject innerexception errordetails'))

/** `args` is null for a member that is read. */
export function methodNode(parsing: Parsing, owner: Node, key: Node, args: Node[] | null): Node {
  const name = textOf(key)?.toLowerCase()
  if (name === undefined) return args === null ? memberAt(owner, key) : call(memberAt(owner, key), args)
  if (args === null) return memberRead(owner, name)
  return ownOf(METHODS, name)?.(owner, args, parsing) ?? call(member(owner, name), args)
}

const READ: Readonly<Record<string, string>> = { value: 'value', values: 'slots', keys: 'keys' }

function memberRead(owner: Node, name: string): Node {
  if (ERROR_MEMBERS.has(name)) return helper('error', owner, constant(name))
  const how = ownOf(READ, name)
  return how === undefined ? member(owner, name === 'count' ? 'length' : name) : helper(how, owner)
}

const LEFT = /righttoleft/i

const STATICS: Readonly<Record<string, (args: Node[], parsing: Parsing) => Node>> = {
  'convert.frombase64string': ([text = NULL]) => helper('fromBase64', text),
  'uri.unescapedatastring': ([text = NULL]) => call(named('unescape'), [text]),
  'web.httputility.urldecode': ([text = NULL]) => call(named('unescape'), [text]),
  'net.webutility.urldecode': ([text = NULL]) => call(named('unescape'), [text]),
  'convert.tochar': ([code = NULL]) => helper('char', code),
  'convert.tostring': ([value = NULL]) => helper('text', value),
  'string.join': ([by = NULL, ...rest]) => helper('join', rest.length === 1 ? (rest[0] ?? NULL) : list(rest), by),
  'string.concat': (args) => (args.length === 1 ? helper('join', args[0] ?? NULL, NULL) : joined(args)),
  'string.format': ([format = NULL, ...rest]) => helper('format', format, list(rest)),
  'string.new': ([chars = NULL]) => helper('join', chars, NULL),
  'regex.replace': ([text = NULL, from = NULL, to = NULL]) =>
    helper(to.kind === 'function' ? 'replaceBy' : 'replace', text, from, to, constant('g')),
  'regex.match': ([text = NULL, by = NULL]) => helper('matched', text, by),
  'net.webutility.htmldecode': ([text = NULL]) => helper('entities', text),
  'web.httputility.htmldecode': ([text = NULL]) => helper('entities', text),
  ...Object.fromEntries(
    words('securestringtobstr ptrtostringauto ptrtostringbstr ptrtostringuni securestringtoglobalallocunicode').map(
      (name) => [`runtime.interopservices.marshal.${name}`, ([text = NULL]: Node[]) => text],
    ),
  ),
  'regex.split': ([text = NULL, by = NULL]) => helper('split', text, by),
  'regex.unescape': ([text = NULL]) => helper('unescape', text),
  'regex.matches': ([text = NULL, by = NULL, how]) =>
    LEFT.test(textOf(how) ?? '') ? method(helper('chars', text), 'reverse') : helper('matches', text, by),
  'array.reverse': ([items = NULL]) => method(items, 'reverse'),
  'char.convertfromutf32': ([code = NULL]) => helper('char', code),
  'scriptblock.create': ([code], parsing) => codeNode(parsing, code),
  'environment.getenvironmentvariable': ([name]) => named(variableName(`env:${textOf(name) ?? ''}`)),
  'environment.setenvironmentvariable': ([name, value = NULL], parsing) => {
    const variable = variableName(`env:${textOf(name) ?? ''}`)
    parsing.scope.vars.add(variable)
    return assign(named(variable), value)
  },
}

function madeOf(type: string, args: Node[]): Node | null {
  const [first = NULL, second = NULL] = args
  // What a stream reads is taken for the stream.
  if (/(?:exception|memorystream|streamreader)$/.test(type)) return first
  if (/(?:gzip|deflate|zlib)stream$/.test(type)) return call(named('sh_inflate'), [helper('bytes', first)])
  if (type.endsWith('networkcredential'))
    return record([
      { key: constant('username'), value: first },
      { key: constant('password'), value: second },
    ])
  return emptyOf(type)
}

/** Of a class of the script. */
function ownStatic(type: Node, name: string, args: Node[] | null): Node {
  if (args === null) return member(type, name)
  return name === 'new' ? making(type, args) : call(member(type, name), args)
}

export function staticNode(parsing: Parsing, type: string, key: Node, args: Node[] | null): Node {
  const name = textOf(key)?.toLowerCase()
  const owner = type
    .toLowerCase()
    .replace(/^system\./, '')
    .replace(/^(?:text\.)?regularexpressions\./, '')
    .replace(/^management\.automation\./, '')
  const own = parsing.types.has(owner) && name !== undefined ? ownStatic(named(typeName(owner)), name, args) : null
  if (own !== null) return own
  const made = name === 'new' && args !== null ? madeOf(owner, args) : null
  if (made !== null) return made
  if (owner.endsWith('encoding') && args === null) return constant(`${ENCODING}${name}`)
  if (name === undefined || args === null) return memberAt(named(`sh_type_${owner.replace(/\W/g, '_')}`), key)
  if (owner === 'convert' && /^tou?(?:int\d*|byte|long)$|^tos?byte$|^touint\d*$/.test(name))
    return helper('toInt', ...args)
  return (
    ownOf(STATICS, `${owner}.${name}`)?.(args, parsing) ??
    call(memberAt(named(`sh_type_${owner.replace(/\W/g, '_')}`), key), args)
  )
}

/** A cast. `ofLetters`: the script reads texts letter by letter. */
export function typeNode(type: string, value: Node, ofLetters = false): Node {
  const name = type.toLowerCase().replace(/^system\./, '')
  if (name === 'char') return helper('char', value)
  if (name === 'char[]') return helper('chars', value)
  if (name === 'string') return helper('text', value)
  if (/^(?:u?int\d*|s?byte|u?long|double|decimal)$/.test(name)) {
    const word = textOf(value)
    // It ends with an error.
    const isError = word !== null && Number.isNaN(Number(word))
    if (isError) return call(named('sh_failed'), [value])
    return helper(ofLetters && name.includes('int') ? 'code' : 'number', value)
  }
  return name.endsWith('[]') || name === 'array' ? helper('list', value) : value
}
