/** Checks the import boundaries described in ARCHITECTURE.md. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Imports that break a rule on purpose, each with its reason. */
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

/** Files that assemble the application and may import from every folder. */
const TOP_FILES = [
  'server/app.ts',
  'server/main.ts',
  'server/service.ts',
  'server/metrics.ts',
  'server/notifications.ts',
  'server/endings.ts',
  'server/erasure.ts',
  'server/processes.ts',
  'server/supervisor.ts',
  'server/admin/admin.ts',
  'server/admin/context.ts',
  'server/config/config.ts',
  'server/config/parsers.ts',
  'server/config/settings.ts',
]
/** The client is a package of its own, for the environment of others. */
const ENVIRONMENT_READERS = ['server/service.ts', 'cli/main.ts', 'packages/client/src/index.ts']
/** Shared by the features; import only `base`. */
const SHARED_FOLDERS = ['http', 'storage', 'engines']

/** Paths are relative to the repository root. Files under `test/` are import targets only and are not checked. */
export function checkImports(files: Map<string, string>): Violation[] {
  const violations: Violation[] = []
  const graph = new Map<string, (Import & { target: string })[]>()
  for (const [file, source] of files) {
    if (file.startsWith('test/')) continue
    const code = blank(source)
    const found: Violation[] = []
    const imports = importsOf(source, code).filter((each) => !isExcepted(file, each.specifier))
    if (isBrowserCode(file)) {
      graph.set(file, withTargets(file, imports))
      continue
    }
    for (const { specifier, line, isType } of imports) {
      const messages = [
        ...targetProblems(file, specifier, files),
        ...(isTest(file) ? [] : boundaryProblems(file, specifier, isType)),
      ]
      found.push(...messages.map((message) => ({ file, line, message })))
    }
    if (!isTest(file)) {
      if (!ENVIRONMENT_READERS.includes(file)) found.push(...environmentProblems(file, source, code))
      graph.set(file, withTargets(file, imports))
    }
    violations.push(...found.sort((a, b) => a.line - b.line))
  }
  return [...violations, ...cycles(graph)]
}

/** The bundler resolves the imports of the dashboard; only their cycles are checked. */
function isBrowserCode(file: string): boolean {
  return file.startsWith('web/') && file !== WEB_ENTRY
}

function withTargets(file: string, imports: readonly Import[]): (Import & { target: string })[] {
  return imports.map((each) => ({ ...each, target: targetOf(file, each.specifier) ?? '' }))
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

function isExcepted(file: string, specifier: string): boolean {
  return EXCEPTIONS.some((exception) => exception.file === file && exception.specifier === specifier)
}

/** The folder directly under `server/`, or '' for a file in `server/` itself. */
function folderOf(file: string): string {
  const [, folder = '', ...rest] = file.split('/')
  return rest.length === 0 ? '' : folder
}

/** The published client, which the command uses as well. */
const CLIENT = 'packages/client/src/'

/** The path of an internal import; null for a package. */
function targetOf(file: string, specifier: string): string | null {
  if (/^#(?:test|inspect|cli|web)\//.test(specifier)) return specifier.slice(1)
  if (specifier.startsWith('#client/')) return specifier.replace('#client/', CLIENT)
  if (specifier.startsWith('#')) return `server/${specifier.slice(1)}`
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null
}

function targetProblems(file: string, specifier: string, files: Map<string, string>): string[] {
  const target = targetOf(file, specifier)
  if (target === null) return []
  if (!/\.(?:ts|json)$/.test(specifier)) return [`import of '${specifier}' does not end in .ts`]
  return files.has(target) ? [] : [`import of '${specifier}': ${target} does not exist`]
}

function boundaryProblems(file: string, specifier: string, isType: boolean): string[] {
  const target = targetOf(file, specifier)
  if (target === null) return packageProblems(file, specifier)
  if (target.startsWith('test/')) return [`'${specifier}': production code must not import from test/`]
  if (target.startsWith('web/')) return webProblems(target, specifier)
  if (file.startsWith(CLIENT))
    return target.startsWith(CLIENT) ? [] : [`'${specifier}': the client imports nothing else`]
  if (file.startsWith('cli/') || target.startsWith('cli/')) return commandProblems(file, target, specifier)
  if (file.startsWith('inspect/')) return inspectProblems(file, target, specifier)
  if (target.startsWith('inspect/')) return analyserProblems(file, target, specifier, isType)
  if (specifier.startsWith('..')) return [`'${specifier}': no ../, write #folder/file.ts`]
  const from = folderOf(file)
  const to = folderOf(target)
  if (from === to) return []
  if (specifier.startsWith('.')) return [`'${specifier}' leaves its folder: write #${target.slice('server/'.length)}`]
  const problem = mayImportAll(file, isType) ? null : crossingProblem(file, from, to, isType)
  return problem === null ? [] : [`'${specifier}': ${problem}`]
}

function analyserProblems(file: string, target: string, specifier: string, isType: boolean): string[] {
  if (!INSPECT_ENTRIES.includes(target)) return [`'${specifier}': import only ${INSPECT_ENTRIES.join(', ')}`]
  return isType || mayImportInspect(file) ? [] : [`'${specifier}': only ${INSPECT_USERS} may import inspect`]
}

const COMMAND_STARTER = 'server/main.ts'

/** The command runs the embedded engine without the service. */
function commandProblems(file: string, target: string, specifier: string): string[] {
  if (!file.startsWith('cli/'))
    return file === COMMAND_STARTER ? [] : [`'${specifier}': only ${COMMAND_STARTER} imports cli`]
  const isAllowed =
    /^(?:cli\/|server\/(?:base|engines)\/|packages\/client\/src\/)/.test(target) || INSPECT_ENTRIES.includes(target)
  return isAllowed
    ? []
    : [`'${specifier}': cli imports only itself, base, engines, the client and ${INSPECT_ENTRIES.join(', ')}`]
}

/** The URLs of the dashboard; everything else in web/ runs in browsers. */
const WEB_ENTRY = 'web/src/paths.ts'

function webProblems(target: string, specifier: string): string[] {
  return target === WEB_ENTRY ? [] : [`'${specifier}': import only ${WEB_ENTRY}`]
}

function mayImportAll(file: string, isType: boolean): boolean {
  return TOP_FILES.includes(file) || (isType && folderOf(file) === '')
}

/** The analyser runs in sandboxed workers; app.ts uses only its type detection and the catalogue. */
const INSPECT_USERS = 'app.ts, admin/context.ts and engines/embedded'

function mayImportInspect(file: string): boolean {
  return ['server/app.ts', 'server/admin/context.ts'].includes(file) || file.startsWith('server/engines/embedded/')
}

/** The files of inspect/ that the server may import: type detection unpacks nothing, the catalogue is data, and keys of lists are hashes. */
const INSPECT_ENTRIES = [
  'inspect/inspect.ts',
  'inspect/detect/sniff.ts',
  'inspect/catalogue/catalogue.ts',
  'inspect/codecs/indicator-keys.ts',
]

/** Each layer of inspect/ and the layers that it may import besides itself. */
const INSPECT_LAYERS: Record<string, readonly string[]> = {
  core: [],
  windows: [],
  codecs: ['core'],
  detect: ['core', 'codecs'],
  catalogue: ['core'],
  // What a text names: these read, and tell nothing about the document.
  targets: ['core', 'windows'],
  commands: ['core', 'windows'],
  // What a program does: it knows no document and no finding.
  programs: ['core', 'windows', 'codecs', 'targets', 'commands'],
  judge: ['core', 'windows', 'codecs', 'detect', 'catalogue', 'targets', 'commands', 'programs'],
  carve: ['core', 'windows', 'codecs', 'detect', 'catalogue', 'targets', 'commands', 'programs', 'judge'],
  formats: ['core', 'windows', 'codecs', 'detect', 'catalogue', 'targets', 'commands', 'programs', 'judge'],
  'rules-engine': ['core'],
  testing: ['inspect.ts', 'core', 'codecs', 'detect', 'catalogue', 'targets', 'commands', 'programs', 'judge'],
}
/** These put the layers together. */
const INSPECT_TOP_FILES = ['inspect.ts', 'registry.ts']

function inspectProblems(file: string, target: string, specifier: string): string[] {
  const problem = inspectProblem(file, target, specifier)
  return problem === null ? [] : [`'${specifier}': ${problem}`]
}

function inspectProblem(file: string, target: string, specifier: string): string | null {
  if (!target.startsWith('inspect/')) return 'inspect imports nothing of the server'
  const [from, to] = [layerOf(file), layerOf(target)]
  if (INSPECT_TOP_FILES.includes(from)) return to === 'testing' ? 'only tests import testing' : null
  const allowed = INSPECT_LAYERS[from]
  if (allowed === undefined) return `${from} is no layer of inspect; known: ${Object.keys(INSPECT_LAYERS).join(', ')}`
  if (from !== to && !allowed.includes(to)) return `${from} imports only ${['itself', ...allowed].join(', ')}`
  if (from !== to && specifier.startsWith('.')) return `leaves the layer: write #${target}`
  if (from === to && specifier.startsWith('#')) return 'stays in the layer: write a relative path'
  const isSideways = from === 'formats' && to === 'formats' && formatOf(file) !== formatOf(target)
  return isSideways ? 'a format imports no other format' : null
}

/** The folder directly under inspect/, or the name of a file there. */
function layerOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function formatOf(file: string): string {
  return file.split('/')[2] ?? ''
}

function crossingProblem(file: string, from: string, to: string, isType: boolean): string | null {
  if (from === 'base') return 'base imports no other folder'
  if (to === 'base') return null
  if (from === '') return `only ${TOP_FILES.join(', ')} may import from folders`
  if (SHARED_FOLDERS.includes(from)) {
    return isType && SHARED_FOLDERS.includes(to)
      ? null
      : `${from} imports only base, and types of ${SHARED_FOLDERS.join(', ')}`
  }
  if (to === '') return 'a folder must not import files of server/ itself; app.ts passes in what it needs'
  if (to === 'http') return isNamed(file, 'routes.ts') ? null : 'only routes.ts may import http'
  // A type is imported from the module that owns it instead of being declared again.
  if (isType) return null
  if (to === 'storage') return isStore(file) ? null : 'only store.ts and *-store.ts may import storage'
  return `${from} may not import ${to}; app.ts passes in what it needs`
}

function packageProblems(file: string, specifier: string): string[] {
  const folder = folderOf(file)
  const assembles = file === 'server/app.ts' || file === 'server/service.ts'
  if (
    /^(?:fastify(?:\/|$)|@fastify\/)/.test(specifier) &&
    !assembles &&
    folder !== 'http' &&
    !isNamed(file, 'routes.ts')
  ) {
    return [`'${specifier}': only routes.ts, http/, app.ts and service.ts may import Fastify`]
  }
  if (/^kysely(?:\/|$)/.test(specifier) && !assembles && folder !== 'storage' && !isStore(file)) {
    return [`'${specifier}': only stores, storage/, app.ts and service.ts may import Kysely`]
  }
  return []
}

function isNamed(file: string, name: string): boolean {
  return path.posix.basename(file) === name
}

/** A folder may have several: `store.ts`, `counter-store.ts`. */
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

/** Reports each import that closes a cycle. */
function cycles(graph: Map<string, (Import & { target: string })[]>): Violation[] {
  const violations: Violation[] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (file: string) => {
    trail.push(file)
    for (const { target, line } of graph.get(file) ?? []) {
      const start = trail.indexOf(target)
      if (start >= 0) {
        const cycle = [...trail.slice(start), target].map((each) => each.replace(/^server\//, '')).join(' → ')
        violations.push({ file, line, message: `import cycle: ${cycle}` })
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
  // A regular expression, distinguished from a division by the preceding token.
  /(?<=(?:^|[=(,:[!&|?{};+>\n]|\breturn|\btypeof)[ \t]*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/,
  /[`{}]/,
  /[\s\S]/,
]
const CODE = new RegExp(CODE_TOKENS.map(({ source }) => source).join('|'), 'y')
const TEMPLATE = /\\[\s\S]|\$\{|`|[\s\S]/y

/** Replaces the contents of comments, strings, templates and regular expressions by spaces, keeping every position. */
export function blank(source: string): string {
  // Open templates ('`') and braces ('{'), innermost last.
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
  const exclude = ['**/node_modules/**']
  const globs = [
    'server/**/*.{ts,json}',
    'inspect/**/*.ts',
    'cli/**/*.ts',
    `${CLIENT}**/*.ts`,
    'test/**/*.ts',
    'web/src/**/*.{ts,tsx}',
  ]
  const paths = globSync(globs, { cwd: root, exclude }).sort()
  return new Map(paths.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
}

if (import.meta.main) {
  const files = readFiles(path.join(import.meta.dirname, '..'))
  const violations = checkImports(files)
  for (const { file, line, message } of violations) console.log(`${file}:${line}: ${message}`)
  const checked = [...files.keys()].filter((file) => !file.startsWith('test/')).length
  if (violations.length === 0) console.log(`OK: ${checked} files respect the import boundaries`)
  else process.exitCode = 1
}
