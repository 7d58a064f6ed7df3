/** Parses PowerShell, as far as values are computed and given to commands. */

import type { Node } from '../../javascript/syntax.ts'
import type { ShellProgram } from '../resolve.ts'
import { isEnd, readerOf, TooDeep, take } from '../source.ts'
import { assign, named } from '../tree.ts'
import { commandArguments, pipeline } from './commands.ts'
import { logical } from './operators.ts'
import { type Parsing, STATEMENT_END, typeName, variableName } from './parsing.ts'
import { statement, statements } from './statements.ts'
import { callArguments } from './values.ts'

export function parsePowerShell(source: string): ShellProgram {
  const parsing: Parsing = {
    ...readerOf(source),
    grammar: { statements, statement, pipeline, logical, commandArguments, callArguments },
    places: [],
    scope: { vars: new Set() },
    functions: functionsIn(source),
    classes: [],
    types: namesIn(source, /\bclass\s{1,9}(\w{1,100})/gi),
    aliases: namesIn(source, ALIAS),
    targets: new Map(),
    filters: namesIn(source, /\bfilter\s{1,9}([\w-]{1,100})/gi),
    isTight: /\bofs['"]?[ \t]{0,9}=?[ \t]{0,9}(?:''|"")/i.test(source),
    readsLetters: /tochararray|\[char\[\]\]/i.test(source) && !/split/i.test(source),
    assigned: namesIn(source, /\$(\w{1,100})[ \t]{0,9}=/g),
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
  const classes = parsing.classes.map((node) => assign(named(typeName(node.name)), node))
  return { body: [...classes, ...body], vars: [...parsing.scope.vars], places: parsing.places, codes: parsing.codes }
}

const ENVIRONMENT =
  /(?:\$\{?|-item[ \t]{1,9}(?:-\w{1,9}[ \t]{1,9})?["']?)env:\\?(\w{1,100})\}?["']?(?:[ \t]{0,9}\+?=|[ \t])|setenvironmentvariable\([ \t]{0,9}["'](\w{1,100})/gi

const ALIAS = /(?:\b[sn]al|-alias)[ \t]{1,9}(?:-name[ \t]{1,9})?["']?([\w-]{1,100})/gi

function namesIn(source: string, pattern: RegExp): Set<string> {
  return new Set([...source.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()))
}

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
