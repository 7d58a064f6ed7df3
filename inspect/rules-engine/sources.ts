/** Rule files as text, before compilation. */

import { createHash } from 'node:crypto'

export interface RuleSource {
  /** File name; becomes the namespace. */
  name: string
  text: string
}

export interface BadRuleFile {
  name: string
  message: string
}

/** Names every bad rule file with the message of the compiler. */
export class RulesError extends Error {
  readonly files: readonly BadRuleFile[]

  constructor(files: readonly BadRuleFile[]) {
    super(files.map(({ name, message }) => `${name}: ${message}`).join('\n'))
    this.name = 'RulesError'
    this.files = files
  }
}

// Comments, strings and regular expressions.
const NO_CODE =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"?|\/(?:\\.|[^/\\\n*])(?:\\.|[^/\\\n])*(?:\/[is]*)?/g

function code({ text }: RuleSource): string {
  return text.replace(NO_CODE, (skipped) => (skipped.startsWith('"') ? '""' : ' '))
}

export function countRules(sources: readonly RuleSource[]): number {
  return sources.reduce((sum, source) => sum + [...code(source).matchAll(/\brule\s+\w+\s*[:{]/g)].length, 0)
}

export function importsConsole({ text }: RuleSource): boolean {
  return /\bimport\s+"console"/.test(text)
}

/** Changes whenever a rule changes, or what is given of other signatures. */
export function versionOf(others: string, sources: readonly RuleSource[]): string {
  const hash = createHash('sha256').update(others)
  hash.update(JSON.stringify(sources.map(({ name, text }) => [name, text])))
  return hash.digest('hex').slice(0, 12)
}
