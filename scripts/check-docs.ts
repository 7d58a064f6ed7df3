/** Checks that every file, script, setting and identifier that a Markdown document names exists. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Repository {
  /** Text by path, relative to the root. */
  documents: Map<string, string>
  /** Every file of the repository, relative to the root. */
  files: ReadonlySet<string>
  /** All source code as one text. */
  source: string
  npmScripts: ReadonlySet<string>
  dependencies: readonly string[]
}

interface StaleReference {
  file: string
  line: number
  message: string
}

/** Paths may be written relative to these folders, as in `scan/scan.ts`. */
const BASES = ['', 'server/', 'inspect/']
/** Created when the service or npm runs. */
const NOT_IN_REPOSITORY = /^(?:\.\/)?(?:data|node_modules|outbox|web\/dist)(?:\/|$)/
/** Files of the walkthrough in CONTRIBUTING.md. */
const EXAMPLES = /^inspect\/formats\/map(?:\.test)?\.ts$/
const FILE_NAME = /^[\w.@-]+\.(?:conf|css|csv|html|js|json|md|svg|toml|ts|txt|yaml|yar|yml)$/
const PATH = /^[\w.@-]+(?:\/[\w.@-]+)*\/?$/

export function checkDocs(repository: Repository): StaleReference[] {
  const found: StaleReference[] = []
  for (const [file, text] of repository.documents) {
    for (const { line, content, inBlock } of linesOf(text)) {
      const messages = inBlock
        ? blockProblems(content, repository)
        : [...linkProblems(file, content, repository), ...codeProblems(file, content, repository)]
      found.push(...messages.map((message) => ({ file, line, message })))
    }
  }
  return [...found, ...unlisted(repository)]
}

const FOLDERS_LIST = 'ARCHITECTURE.md'
const FOLDER = /^(?:server|inspect)\/[\w-]+\/(?=.)/
const PACKAGES_LIST = 'docs/development.md'

/** Lists that must be complete. */
function unlisted({ documents, files, dependencies }: Repository): StaleReference[] {
  const folders = new Set([...files].flatMap((file) => FOLDER.exec(file)?.[0] ?? []))
  const missingIn = (file: string, names: Iterable<string>): StaleReference[] =>
    [...names]
      .filter((name) => !documents.get(file)?.includes(`\`${name}\``))
      .sort()
      .map((name) => ({ file, line: 1, message: `${name} is not listed` }))
  return [...missingIn(FOLDERS_LIST, folders), ...missingIn(PACKAGES_LIST, dependencies)]
}

function* linesOf(text: string) {
  let block: string | null = null
  for (const [index, content] of text.split('\n').entries()) {
    const fence = /^\s*```(\w*)/.exec(content)
    if (fence) block = block === null ? (fence[1] ?? '') : null
    else if (block === null || block === 'text' || block === 'sh')
      yield { line: index + 1, content, inBlock: block !== null }
  }
}

function linkProblems(file: string, content: string, repository: Repository): string[] {
  return [...content.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .flatMap((target) => {
      const [relative = '', anchor] = target.split('#')
      const linked = relative === '' ? file : path.posix.join(path.posix.dirname(file), relative)
      if (!exists(linked, repository)) return [`link to ${target}: ${linked} does not exist`]
      if (anchor === undefined || anchorsOf(repository.documents.get(linked) ?? '').has(anchor)) return []
      return [`link to ${target}: ${linked} has no heading #${anchor}`]
    })
}

function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function codeProblems(file: string, content: string, repository: Repository): string[] {
  return [...content.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => codeProblem(file, code, repository) ?? [])
}

function codeProblem(file: string, code: string, repository: Repository): string | null {
  const [, script] = /^npm run (?:-s )?([\w-]+)/.exec(code) ?? []
  if (script !== undefined) return repository.npmScripts.has(script) ? null : `package.json has no script "${script}"`
  const isQuoted = /^"[^"]+"$/.test(code)
  // Constants, settings, functions, and log messages in quotes.
  if (isQuoted || /^(?:[A-Z]+_[A-Z_]+|[a-z]+[A-Z]\w*)$/.test(code)) {
    const text = isQuoted ? code.slice(1, -1) : code.replace(/_FILE$/, '')
    return repository.source.includes(text) ? null : `${code} does not occur in the source`
  }
  return pathProblem(file, code, repository)
}

function blockProblems(content: string, repository: Repository): string[] {
  return [...content.matchAll(/(?<![\w/.:$-])[a-z-]+\/[\w./-]*\w/g)].flatMap(
    ([token]) => pathProblem('', token.replace(/[.:]$/, ''), repository) ?? [],
  )
}

function pathProblem(file: string, code: string, repository: Repository): string | null {
  if (!PATH.test(code) || NOT_IN_REPOSITORY.test(code) || EXAMPLES.test(code)) return null
  if (!code.includes('/')) {
    if (!FILE_NAME.test(code) || repository.files.has(code)) return null
    const isKnown = [...repository.files].some((each) => each.endsWith(`/${code}`))
    return isKnown || repository.source.includes(code) ? null : `no file is named ${code}`
  }
  const bases = [...BASES, `${path.posix.dirname(file)}/`]
  const [folder = ''] = code.split('/')
  // Anything else with a slash is a media type, an image name or the like.
  if (!BASES.some((base) => exists(`${base}${folder}/`, repository))) return null
  return bases.some((base) => exists(base + code, repository) || exists(`${base}${code}.ts`, repository))
    ? null
    : `${code} does not exist`
}

function exists(target: string, { files }: Repository): boolean {
  const clean = path.posix.normalize(target).replace(/\/$/, '')
  return files.has(clean) || [...files].some((file) => file.startsWith(`${clean}/`))
}

function readRepository(root: string): Repository {
  const exclude = ['node_modules/**', '.git/**', 'data/**', '**/node_modules/**']
  const paths = globSync(['**/*', '.*', '.github/**/*', '.ci/*'], { cwd: root, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const documents = paths.filter((file) => file.endsWith('.md') && !file.startsWith('server/chat/articles/'))
  const sources = paths.filter(
    (file) => /(?<!-lock)\.(?:ts|js|json|conf|yaml)$/.test(file) && !file.startsWith('scripts/check-docs'),
  )
  const manifest = JSON.parse(read('package.json'))
  return {
    documents: new Map(documents.map((file) => [file, read(file)])),
    files: new Set(paths),
    source: sources.map(read).join('\n'),
    npmScripts: new Set(Object.keys(manifest.scripts)),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
  }
}

if (import.meta.main) {
  const repository = readRepository(path.join(import.meta.dirname, '..'))
  const found = checkDocs(repository)
  for (const { file, line, message } of found) console.log(`${file}:${line}: ${message}`)
  if (found.length === 0) console.log(`OK: ${repository.documents.size} documents name only what exists`)
  else process.exitCode = 1
}
