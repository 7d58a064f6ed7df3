/** Finds facts of Windows in patterns and lists outside inspect/windows/, where each is said once. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { CLASS_IDS, SHELL_CLASSES, WRITE_CLASSES } from '#inspect/windows/classes.ts'
import { RUNNABLE } from '#inspect/windows/extensions.ts'
import { WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import { OF_SYSTEM } from '#inspect/windows/libraries.ts'
import { DOWNLOADERS, PROXIES, RUNNERS } from '#inspect/windows/programs.ts'

interface FoundFact {
  file: string
  line: number
  fact: string
}

interface SyntaxNode {
  type: string
  start: number
  end: number
  value?: unknown
}

/** A pattern escapes the dots of names. */
const either = (names: readonly string[]): string => names.map((name) => name.replaceAll('.', '\\\\?\\.')).join('|')

/** Shorter names are words or parts of words. `WScript` is also an object of a language. */
const PROGRAMS = [...new Set([...RUNNERS, ...PROXIES, ...DOWNLOADERS])].filter(
  (name) => name.length > 4 && !['command', 'wscript'].includes(name),
)
const LIBRARIES = OF_SYSTEM.filter((name) => /\d|wininet|urlmon/.test(name) && name.length > 5)
/** The last two characters of a list of extensions are those between its names. */
const LISTED = `(?:${RUNNABLE.join('|')})\\??`
const FACTS = new RegExp(
  [
    `(?<![a-z])(?:${PROGRAMS.join('|')})(?![a-z])`,
    `%(?:\\(\\?:)?(?:${WRITABLE_VARIABLES.join('|')})(?:%|\\|)`,
    `(?<![a-z.])(?:${either([...SHELL_CLASSES, ...WRITE_CLASSES])})(?![a-z])`,
    Object.keys(CLASS_IDS).join('|'),
    `(?<![a-z])(?:${LIBRARIES.join('|')})(?![a-z])`,
    `currentversion\\\\{1,2}(?:\\(\\?:)?run`,
    `\\.(?:\\(\\?:)?${LISTED}(?:\\|${LISTED}){2}`,
    `(?<![a-z.])exe(?: [a-z0-9]{2,4}){3}`,
  ].join('|'),
  'i',
)

/** One name alone, such as that of a language, is no fact about it; a list or a pattern of names is. */
export function factsIn(file: string, text: string): FoundFact[] {
  const found: FoundFact[] = []
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length
  const visit = (node: SyntaxNode, isListed: boolean): void => {
    if (node.type === 'ImportDeclaration') return
    const isName = typeof node.value === 'string' && !/\s/.test(node.value) && !isListed
    if (/^(?:Literal|TemplateElement)$/.test(node.type)) {
      const [fact] = FACTS.exec(text.slice(node.start, node.end)) ?? []
      if (fact !== undefined && !(isName && String(node.value).length === fact.length))
        found.push({ file, line: lineOf(node.start), fact })
    }
    const children = childrenOf(node)
    const names = children.filter(({ value }) => typeof value === 'string')
    for (const child of children) visit(child, node.type === 'ArrayExpression' && names.length > 1)
  }
  visit(parseAst(text, { lang: 'ts' }, file) as unknown as SyntaxNode, false)
  return found
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const isNode = (value: unknown): value is SyntaxNode =>
    typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
  return Object.values(node).flat().filter(isNode)
}

/** Texts for people name programs, and test documents contain them. */
const OTHER = /^inspect\/(?:windows|catalogue|testing)\/|\.test\.ts$/

export function findFacts(root: string): FoundFact[] {
  const files = globSync('inspect/**/*.ts', { cwd: root }).filter((file) => !OTHER.test(file))
  return files.sort().flatMap((file) => factsIn(file, readFileSync(path.join(root, file), 'utf8')))
}

if (import.meta.main) {
  const found = findFacts(path.join(import.meta.dirname, '..'))
  for (const { file, line, fact } of found) console.log(`${file}:${line}: '${fact}' belongs in inspect/windows/`)
  if (found.length === 0) console.log('OK: no fact of Windows outside inspect/windows/')
  else process.exitCode = 1
}
