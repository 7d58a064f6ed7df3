/** Splits a rule file into its rules, so that each can be compiled without the others. */

import { type Token, tokensOf, Unsupported } from './rule-tokens.ts'

export interface SplitRule {
  name: string
  /** The declaration, exactly as in the file. */
  text: string
  isPrivate: boolean
  isGlobal: boolean
  /** Tokens of the sections; empty if the rule has no such section. */
  strings: readonly Token[]
  condition: readonly Token[]
}

export interface SplitFile {
  modules: readonly string[]
  rules: readonly SplitRule[]
}

/** Null when the file cannot be split with certainty. */
export function splitFile(source: string): SplitFile | null {
  try {
    return split(source, tokensOf(source))
  } catch (error) {
    if (error instanceof Unsupported) return null
    throw error
  }
}

function split(source: string, tokens: readonly Token[]): SplitFile {
  const modules: string[] = []
  const rules: SplitRule[] = []
  let at = 0
  const textAt = (index: number): string => tokens[index]?.text ?? ''
  const indexFrom = (sign: string, from: number): number => {
    for (let index = from; index < tokens.length; index++) if (textAt(index) === sign) return index
    throw new Unsupported('braces')
  }
  while (at < tokens.length) {
    if (textAt(at) === 'import') {
      const name = /^"(\w+)"$/.exec(textAt(at + 1))?.[1]
      if (name === undefined) throw new Unsupported('import')
      modules.push(name)
      at += 2
      continue
    }
    const first = at
    while (textAt(at) === 'private' || textAt(at) === 'global') at++
    const flags = tokens.slice(first, at).map(({ text }) => text)
    const name = tokens[at + 1]
    if (textAt(at) !== 'rule' || name?.kind !== 'word') throw new Unsupported('declaration')
    const open = indexFrom('{', at)
    const close = indexFrom('}', open)
    rules.push({
      name: name.text,
      text: source.slice(tokens[first]?.start, tokens[close]?.end),
      isPrivate: flags.includes('private'),
      isGlobal: flags.includes('global'),
      ...sectionsOf(tokens.slice(open + 1, close)),
    })
    at = close + 1
  }
  return { modules, rules }
}

function sectionsOf(body: readonly Token[]): Pick<SplitRule, 'strings' | 'condition'> {
  const startOf = (name: string): number =>
    body.findIndex(({ text, kind }, index) => kind === 'word' && text === name && body[index + 1]?.text === ':')
  const condition = startOf('condition')
  const strings = startOf('strings')
  if (condition < 0 || strings > condition) throw new Unsupported('sections')
  return { strings: strings < 0 ? [] : body.slice(strings + 2, condition), condition: body.slice(condition + 2) }
}
