/** Finds every regular expression of the sources: literals by parsing, constructed ones by loading their modules. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { parseAst } from 'rolldown/parseAst'
import type { Pattern } from './growth.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SOURCES = '{inspect,server,cli,web/src}/**/*.{ts,tsx}'

/** They construct patterns; the tags of templates are in a module of their own. */
const CONSTRUCTORS = new Set<unknown>(['RegExp', 'pattern', 'anyCase'])
const TAG_MODULE = 'inspect/core/pattern.ts'

const DECLARATIONS = new Set(['VariableDeclarator', 'FunctionDeclaration'])

/** The fields of all kinds that are read here. */
interface SyntaxNode {
  type: string
  start: number
  regex?: { pattern: string; flags: string }
  callee?: SyntaxNode
  tag?: SyntaxNode
  property?: SyntaxNode
  id?: SyntaxNode | null
  name?: unknown
}

interface Found {
  patterns: Pattern[]
  /** File and line of each pattern that is built at run time. */
  constructed: string[]
}

/** Patterns of one file. Without `g` or `y`, a pattern is applied once to a text, unless the text is split by it. */
export function patternsIn(file: string, text: string): Found {
  const found: Found = { patterns: [], constructed: [] }
  /** Names of patterns that texts are split by, which are applied again behind each match. */
  const splitters = new Set<string>()
  const lineStarts = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const at = (node: SyntaxNode): string => `${file}:${lineStarts.filter((start) => start < node.start).length + 1}`

  const visit = (node: SyntaxNode, splits: boolean, name: string): void => {
    const { regex, callee } = node
    if (regex) {
      const everywhere = splits || /[gy]/.test(regex.flags)
      found.patterns.push({
        at: at(node),
        name: `${file} ${name}`,
        source: regex.pattern,
        flags: regex.flags,
        everywhere,
      })
    }
    if (constructs(node)) found.constructed.push(at(node))
    const isSplit = callee?.property?.name === 'split'
    const inside = DECLARATIONS.has(node.type) ? String(node.id?.name ?? name) : name
    for (const child of childrenOf(node)) {
      const isSplitter = isSplit && child !== callee
      if (isSplitter && child.type === 'Identifier') splitters.add(`${file} ${String(child.name)}`)
      visit(child, isSplitter, inside)
    }
  }

  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as SyntaxNode, false, '')
  for (const pattern of found.patterns) pattern.everywhere ||= splitters.has(pattern.name)
  return found
}

function constructs({ callee, tag }: SyntaxNode): boolean {
  return CONSTRUCTORS.has((callee ?? tag)?.name)
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const isNode = (value: unknown): value is SyntaxNode =>
    typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
  return Object.values(node).flat().filter(isNode)
}

/** All patterns, and where patterns are constructed that no loading of the modules constructed. */
export async function collectPatterns(): Promise<{ patterns: Pattern[]; missing: string[] }> {
  const files = globSync(SOURCES, { cwd: ROOT }).filter(
    (file) => !/\.test\.tsx?$|^inspect\/testing\//.test(file) && file !== TAG_MODULE,
  )
  const found = files.sort().map((file) => ({ file, ...patternsIn(file, readFileSync(path.join(ROOT, file), 'utf8')) }))
  const constructing = found.filter(({ constructed }) => constructed.length > 0).map(({ file }) => file)
  const constructed = await constructedBy(constructing)
  const seen = new Set(constructed.map(({ at }) => at))
  return {
    patterns: [...found.flatMap(({ patterns }) => patterns), ...constructed],
    missing: found.flatMap((entry) => entry.constructed).filter((at) => !seen.has(at)),
  }
}

/** Loads the files in a thread whose constructor of patterns notes what it is given, and by whom. */
async function constructedBy(files: readonly string[]): Promise<Pattern[]> {
  const worker = new Worker(new URL('./constructed.ts', import.meta.url), {
    workerData: { root: ROOT, files, skipped: TAG_MODULE },
  })
  const patterns = await new Promise<Pattern[]>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  return patterns
}
