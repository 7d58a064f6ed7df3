/** Renders the part of Go's templates and of Helm's functions that our chart uses. Anything else throws. */

interface Scope {
  /** `.` */
  dot: unknown
  /** `$` */
  root: unknown
  variables: Readonly<Record<string, unknown>>
  files: (name: string) => string
}

type Part = string | { action: string }

type Node = string | { value: string } | { block: 'if' | 'range'; on: string; body: Node[]; otherwise: Node[] }

/** `{{-` and `-}}` remove the white space next to them. */
function split(text: string): Part[] {
  const parts: Part[] = []
  let rest = text
  for (;;) {
    const found = /\{\{(-?)\s*([^}]*?)\s*(-?)\}\}/.exec(rest)
    if (!found) return [...parts, rest]
    const [whole, trimLeft, action = '', trimRight] = found
    const before = rest.slice(0, found.index)
    parts.push(trimLeft ? before.trimEnd() : before, { action })
    rest = rest.slice(found.index + whole.length)
    if (trimRight) rest = rest.trimStart()
  }
}

/** Reads up to `end` or `else`, which stays in front. */
function parse(parts: Part[]): Node[] {
  const nodes: Node[] = []
  for (let part = parts[0]; part !== undefined; part = parts[0]) {
    if (typeof part !== 'string' && (part.action === 'end' || part.action === 'else')) return nodes
    parts.shift()
    if (typeof part === 'string') nodes.push(part)
    else nodes.push(parseAction(part.action, parts))
  }
  return nodes
}

function parseAction(action: string, parts: Part[]): Node {
  const [, block, on = ''] = /^(if|range) (.*)$/.exec(action) ?? []
  if (block === undefined) return { value: action }
  const body = parse(parts)
  const next = parts.shift()
  const isElse = typeof next === 'object' && next.action === 'else'
  const otherwise = isElse ? parse(parts) : []
  if (isElse) parts.shift()
  if (next === undefined) throw new Error(`{{ ${action} }} has no end`)
  return { block: block as 'if' | 'range', on, body, otherwise }
}

function lookUp(path: string, { dot, root, variables }: Scope): unknown {
  const [head = '', ...names] = path.split('.')
  let found = head === '' ? dot : head === '$' ? root : variables[head]
  for (const name of names.filter((each) => each !== '')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      throw new Error(`${path} is not set`)
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** A word: a path, a variable, a string or a call in parentheses. */
function term(word: string, scope: Scope): unknown {
  if (word.startsWith('"')) return JSON.parse(word)
  if (/^\d+$/.test(word)) return Number(word)
  if (word.startsWith('(')) return call(word.slice(1, -1), [], scope)
  if (/^[.$]/.test(word)) return lookUp(word, scope)
  throw new Error(`${word} is not supported`)
}

const isTrue = (value: unknown): boolean =>
  Boolean(value) && (typeof value !== 'object' || Object.keys(value as object).length > 0)

const FUNCTIONS: Readonly<Record<string, (...given: never[]) => unknown>> = {
  quote: (value: unknown) => JSON.stringify(String(value)),
  toJson: (value: unknown) => JSON.stringify(value),
  not: (value: unknown) => !isTrue(value),
  int: (value: unknown) => Number(value),
  or: (...values: unknown[]) => values.find(isTrue) ?? values.at(-1),
  required: (message: string, value: unknown) => {
    if (!isTrue(value)) throw new Error(message)
    return value
  },
  until: (count: number) => Array.from({ length: count }, (_, index) => index),
  indent: (width: number, text: string) => text.replace(/^/gm, ' '.repeat(width)),
  regexReplaceAll: (pattern: string, text: string, by: string) => text.replaceAll(new RegExp(pattern, 'g'), by),
}

/** Words of an expression; `last` is what a pipe hands over. */
function call(expression: string, last: unknown[], scope: Scope): unknown {
  const [name = '', ...words] = expression.match(/\([^()]*\)|"[^"]*"|[^\s]+/g) ?? []
  if (name === '.Files.Get') return scope.files(String(term(words[0] ?? '', scope)))
  const given = [...words.map((word) => term(word, scope)), ...last]
  if (Object.hasOwn(FUNCTIONS, name)) return FUNCTIONS[name]?.(...(given as never[]))
  if (given.length > 0) throw new Error(`The function ${name} is not supported`)
  return term(name, scope)
}

function evaluate(expression: string, scope: Scope): unknown {
  const [first = '', ...pipes] = expression.split('|').map((each) => each.trim())
  return pipes.reduce((value, pipe) => call(pipe, [value], scope), call(first, [], scope))
}

function renderRange(on: string, body: Node[], scope: Scope): string {
  const [, names = '', list = on] = /^(\$[^:]*?)\s*:=\s*(.*)$/.exec(on) ?? []
  const items = Object.entries(evaluate(list, scope) as object)
  const [first, second] = names.split(',').map((name) => name.trim())
  return items
    .map(([key, dot]) => {
      const named = second ? { [first ?? '']: key, [second]: dot } : { [first || '_']: dot }
      return renderNodes(body, { ...scope, dot, variables: { ...scope.variables, ...named } })
    })
    .join('')
}

function renderNodes(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      if ('value' in node) return String(evaluate(node.value, scope))
      if (node.block === 'range') return renderRange(node.on, node.body, scope)
      return renderNodes(isTrue(evaluate(node.on, scope)) ? node.body : node.otherwise, scope)
    })
    .join('')
}

export function renderTemplate(text: string, data: object, files: Scope['files']): string {
  const parts = split(text)
  const nodes = parse(parts)
  if (parts.length > 0) throw new Error('There is an end without a beginning')
  return renderNodes(nodes, { dot: data, root: data, variables: {}, files })
}
