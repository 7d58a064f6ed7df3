/** Parses PowerShell, as far as values are computed and given to commands. */

import type { Node } from '../../javascript/syntax.ts'
import type { ShellProgram } from '../resolve.ts'
import { isEnd, readerOf, TooDeep, take } from '../source.ts'
import { commandArguments, pipeline } from './commands.ts'
import { logical } from './operators.ts'
import { type Parsing, STATEMENT_END, variableName } from './parsing.ts'
import { statement, statements } from './statements.ts'

export function parsePowerShell(source: string): ShellProgram {
  const parsing: Parsing = {
    ...readerOf(source),
    grammar: { statements, statement, pipeline, logical, commandArguments },
    places: [],
    scope: { vars: new Set() },
    functions: functionsIn(source),
    filters: new Set(
      [...source.matchAll(/\bfilter\s{1,9}([\w-]{1,100})/gi)].map(([, name = '']) => name.toLowerCase()),
    ),
    isTight: /\bofs['"]?[ \t]{0,9}=?[ \t]{0,9}(?:''|"")/i.test(source),
    assigned: new Set([...source.matchAll(/\$(\w{1,100})[ \t]{0,9}=/g)].map(([, name = '']) => name.toLowerCase())),
    environment: new Set([...source.matchAll(ENVIRONMENT)].map(([, one, other]) => `${one ?? other}`.toLowerCase())),
    codes: [],
    hasLists: true,
  }
  const body: Node[] = []
  while (!isEnd(parsing)) {
    try {
      for (const node of statements(parsing)) body.push(node)
      // A bracket that nothing opened.
      parsing.at++
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error
      parsing.depth = 0
      parsing.hasLists = true
      take(parsing, STATEMENT_END)
    }
  }
  return { body, vars: [...parsing.scope.vars], places: parsing.places, codes: parsing.codes }
}

const ENVIRONMENT =
  /(?:\$\{?|-item[ \t]{1,9}(?:-\w{1,9}[ \t]{1,9})?["']?)env:\\?(\w{1,100})\}?["']?(?:[ \t]{0,9}\+?=|[ \t])|setenvironmentvariable\([ \t]{0,9}["'](\w{1,100})/gi

const FUNCTION =
  /\b(?:function|filter|workflow)\s+(?:\w+:)?([\w-]+)\s*(?:\(([^(){}]{0,2000})\)|\{\s*param\s*\(([^(){}]{0,2000})\))?/gi

/** They are called before and after they are read. */
function functionsIn(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [, name = '', inline, inside] of source.matchAll(FUNCTION))
    found.set(
      name.toLowerCase(),
      [...(inline ?? inside ?? '').matchAll(/\$(\w+)/g)].map(([, each = '']) => variableName(each)),
    )
  return found
}
