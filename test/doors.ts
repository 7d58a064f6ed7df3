/** Checks the doors of the house: which file may import which. The plan behind the rules is in ARCHITECTURE.md. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Imports that break a rule on purpose. Each needs a reason that a reader will accept. */
const EXCEPTIONS: { file: string; specifier: string; reason: string }[] = []

export interface Violation {
  file: string
  line: number
  message: string
}

interface Import {
  specifier: string
  line: number
  /** `import type`: erased before the code runs. */
  isType: boolean
}

/** What may reach into every room: the files that put the house together. */
const TOP_FILES = [
  'server/app.ts',
  'server/main.ts',
  'server/config.ts',
  'server/letters.ts',
  'server/setting-parsers.ts',
]
const ENVIRONMENT_READERS = ['server/config.ts', 'server/main.ts']
/** These stand below the features and know only the foundation. */
const LOWER_ROOMS = ['http', 'storage', 'engines']

/** Paths are from the root of the repository: `server/…` and `inspect/…` are checked, `test/…` only has to be importable. */
export function checkDoors(files: Map<string, string>): Violation[] {
  const violations: Violation[] = []
  const graph = new Map<string, (Import & { target: string })[]>()
  for (const [file, source] of files) {
    if (file.startsWith('test/')) continue
    const code = blank(source)
    const found: Violation[] = []
    const imports = importsOf(source, code).filter((each) => !isExcepted(file, each.specifier))
    for (const { specifier, line, isType } of imports) {
      const messages = [
        ...targetProblems(file, specifier, files),
        ...(isTest(file) ? [] : roomProblems(file, specifier, isType)),
      ]
      found.push(...messages.map((message) => ({ file, line, message })))
    }
    if (!isTest(file)) {
      if (!ENVIRONMENT_READERS.includes(file)) found.push(...environmentProblems(file, source, code))
      graph.set(
        file,
        imports.map((each) => ({ ...each, target: targetOf(file, each.specifier) ?? '' })),
      )
    }
    violations.push(...found.sort((a, b) => a.line - b.line))
  }
  return [...violations, ...cycles(graph)]
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

function isExcepted(file: string, specifier: string): boolean {
  return EXCEPTIONS.some((exception) => exception.file === file && exception.specifier === specifier)
}

/** The folder directly under `server/`; '' for the files that stand there themselves. */
function roomOf(file: string): string {
  const [, room = '', ...rest] = file.split('/')
  return rest.length === 0 ? '' : room
}

/** The file that one of our own specifiers means; null for a package. */
function targetOf(file: string, specifier: string): string | null {
  if (/^#(?:test|inspect)\//.test(specifier)) return specifier.slice(1)
  if (specifier.startsWith('#')) return `server/${specifier.slice(1)}`
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null
}

function targetProblems(file: string, specifier: string, files: Map<string, string>): string[] {
  const target = targetOf(file, specifier)
  if (target === null) return []
  if (!specifier.endsWith('.ts')) return [`import of '${specifier}' does not end in .ts`]
  return files.has(target) ? [] : [`import of '${specifier}': there is no ${target}`]
}

function roomProblems(file: string, specifier: string, isType: boolean): string[] {
  const target = targetOf(file, specifier)
  if (target === null) return packageProblems(file, specifier)
  if (target.startsWith('test/')) return [`'${specifier}': the server imports nothing of the tests`]
  if (file.startsWith('inspect/')) return inspectProblems(target, specifier)
  if (target.startsWith('inspect/'))
    return isType || seesInspect(file) ? [] : [`'${specifier}': only ${INSPECT_USERS} may see it`]
  if (specifier.startsWith('..')) return [`'${specifier}': no ../, write #room/file.ts`]
  const from = roomOf(file)
  const to = roomOf(target)
  if (from === to) return []
  if (specifier.startsWith('.')) return [`'${specifier}' leaves the room: write #${target.slice('server/'.length)}`]
  const problem = TOP_FILES.includes(file) ? null : crossingProblem(file, from, to, isType)
  return problem === null ? [] : [`'${specifier}': ${problem}`]
}

/** The analyser runs in a sandbox: app.ts borrows its sniffer, and the child of the embedded engine is made of it. */
const INSPECT_USERS = 'app.ts and engines/embedded'

function seesInspect(file: string): boolean {
  return file === 'server/app.ts' || file.startsWith('server/engines/embedded/')
}

/** It is a library of its own: it knows nothing of the server, and finds its own files relatively. */
function inspectProblems(target: string, specifier: string): string[] {
  return target.startsWith('inspect/') && specifier.startsWith('.') ? [] : [`'${specifier}': inspect knows only itself`]
}

function crossingProblem(file: string, from: string, to: string, isType: boolean): string | null {
  if (from === 'base') return 'base imports nothing of ours'
  if (to === 'base') return null
  if (from === '') return `only ${TOP_FILES.join(', ')} may reach into the rooms`
  if (LOWER_ROOMS.includes(from)) {
    return isType && LOWER_ROOMS.includes(to)
      ? null
      : `${from} imports only base, and types of ${LOWER_ROOMS.join(', ')}`
  }
  if (to === '') return 'a room imports no file that stands above the rooms; it is given what it needs by app.ts'
  if (to === 'http') return isNamed(file, 'routes.ts') ? null : 'only routes.ts may import http'
  // A type is imported from the module that owns it instead of being declared again.
  if (isType) return null
  if (to === 'storage') return isStore(file) ? null : 'only store.ts and *-store.ts may import storage'
  return `${from} may not import ${to}; it is given what it needs by app.ts`
}

function packageProblems(file: string, specifier: string): string[] {
  const room = roomOf(file)
  const assembles = file === 'server/app.ts' || file === 'server/main.ts'
  if (
    /^(?:fastify(?:\/|$)|@fastify\/)/.test(specifier) &&
    !assembles &&
    room !== 'http' &&
    !isNamed(file, 'routes.ts')
  ) {
    return [`'${specifier}': only routes.ts, http/, app.ts and main.ts may see Fastify`]
  }
  if (/^kysely(?:\/|$)/.test(specifier) && !assembles && room !== 'storage' && !isStore(file)) {
    return [`'${specifier}': only stores, storage/, app.ts and main.ts may see Kysely`]
  }
  return []
}

function isNamed(file: string, name: string): boolean {
  return path.posix.basename(file) === name
}

/** A room may have several: `store.ts`, `replica-store.ts`. */
function isStore(file: string): boolean {
  return /(?:^|-)store\.ts$/.test(path.posix.basename(file))
}

function environmentProblems(file: string, source: string, code: string): Violation[] {
  const mentions = [...code.matchAll(/\bprocess\s*(?:\?\.|\.|\[)/g)]
    .filter(({ index }) => /^process\s*(?:\?\.|\.|\[)\s*['"`]?env\b/.test(source.slice(index)))
    .map(({ index }) => lineAt(source, index))
  const named = [...code.matchAll(/\bimport\b[^'"]*\benv\b[^'"]*\bfrom\s*['"]/g)]
    .filter(({ 0: text, index }) => /^(?:node:)?process['"]/.test(source.slice(index + text.length)))
    .map(({ index }) => lineAt(source, index))
  const message = `process.env is read only by ${ENVIRONMENT_READERS.join(' and ')}`
  return [...mentions, ...named].map((line) => ({ file, line, message }))
}

/** One violation for each import that closes a circle. */
function cycles(graph: Map<string, (Import & { target: string })[]>): Violation[] {
  const violations: Violation[] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (file: string) => {
    trail.push(file)
    for (const { target, line } of graph.get(file) ?? []) {
      const start = trail.indexOf(target)
      if (start >= 0) {
        const circle = [...trail.slice(start), target].map((each) => each.slice('server/'.length)).join(' → ')
        violations.push({ file, line, message: `import cycle: ${circle}` })
      } else if (!done.has(target)) visit(target)
    }
    trail.pop()
    done.add(file)
  }
  for (const file of graph.keys()) if (!done.has(file)) visit(file)
  return violations
}

function importsOf(source: string, code: string): Import[] {
  return [...code.matchAll(/(?<![.\w$])(?:from\s*|import\s*(?:\(\s*)?)(['"])( *)\1/g)].map((match) => {
    const [text, , inside = ''] = match
    const end = match.index + text.length - 1
    const isType = TYPE_IMPORT.test(code.slice(0, match.index))
    return { specifier: source.slice(end - inside.length, end), line: lineAt(source, end), isType }
  })
}

/** The statement that ends before `from`. `import type from` imports a value named `type`. */
const TYPE_IMPORT = /\b(?:import|export)\s+type\s+[\w$*{][^'";]*$/

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length
}

const CODE_TOKENS = [
  /\/\/[^\n]*/, // a comment to the end of the line
  /\/\*[\s\S]*?\*\//,
  /(['"])(?:\\.|(?!\1)[^\\\n])*\1/,
  // A regular expression, told from a division by what stands before it.
  /(?<=(?:^|[=(,:[!&|?{};+>\n]|\breturn|\btypeof)[ \t]*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/,
  /[`{}]/,
  /[\s\S]/,
]
const CODE = new RegExp(CODE_TOKENS.map(({ source }) => source).join('|'), 'y')
const TEMPLATE = /\\[\s\S]|\$\{|`|[\s\S]/y

/** The source with everything inside comments, strings, templates and regular expressions turned to spaces, in place. */
export function blank(source: string): string {
  // The innermost last: '`' for the text of a template, '{' for braces.
  const nesting: string[] = []
  let code = ''
  while (code.length < source.length) {
    const inTemplate = nesting.at(-1) === '`'
    const token = inTemplate ? TEMPLATE : CODE
    token.lastIndex = code.length
    const text = token.exec(source)?.[0] ?? ' '
    code += inTemplate ? templateToken(text, nesting) : codeToken(text, nesting)
  }
  return code
}

function templateToken(text: string, nesting: string[]): string {
  if (text === '${') nesting.push('{')
  else if (text === '`') nesting.pop()
  else return hidden(text)
  return text
}

function codeToken(text: string, nesting: string[]): string {
  if (text === '{' || text === '`') nesting.push(text)
  if (text === '}') nesting.pop()
  if (text.length < 2) return text
  const quote = text[0] ?? ''
  return quote === '/' ? hidden(text) : quote + hidden(text.slice(1, -1)) + quote
}

function hidden(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function readFiles(root: string): Map<string, string> {
  const paths = globSync(['server/**/*.ts', 'inspect/**/*.ts', 'test/**/*.ts'], { cwd: root }).sort()
  return new Map(paths.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
}

if (import.meta.main) {
  const files = readFiles(path.join(import.meta.dirname, '..'))
  const violations = checkDoors(files)
  for (const { file, line, message } of violations) console.log(`${file}:${line}: ${message}`)
  const checked = [...files.keys()].filter((file) => !file.startsWith('test/')).length
  if (violations.length === 0) console.log(`OK: the imports of ${checked} files keep to the doors`)
  else process.exitCode = 1
}
