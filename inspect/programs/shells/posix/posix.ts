/** Parses scripts of Unix shells, as far as values are computed and given to commands. */

import { keep } from '#inspect/core/work.ts'
import type { Node } from '../../javascript/syntax.ts'
import type { ShellProgram } from '../resolve.ts'
import { isEnd, readerOf, TooDeep, take } from '../source.ts'
import { assign, constant, NULL, named } from '../tree.ts'
import { type Parsing, variableName } from './parsing.ts'
import { CLOSING, statements } from './statements.ts'

export function parsePosix(source: string): ShellProgram {
  const functions = namesIn(source, DEFINED)
  const references = pairsIn(source, REFERENCE)
  const assigned = namesIn(source, ASSIGNED)
  for (const name of references.values()) assigned.add(name)
  const parsing: Parsing = {
    ...readerOf(source),
    grammar: { statements },
    places: [],
    vars: new Set(),
    functions,
    assigned,
    references,
    lists: new Map(),
    codes: [],
    aliases: pairsIn(source, ALIAS),
    hasArguments: /\bset[ \t]{1,9}--[ \t]/.test(source),
    input: NULL,
    separator: null,
    pending: [],
  }
  const body: Node[] = []
  while (!isEnd(parsing)) {
    try {
      for (const node of statements(parsing)) body.push(node)
      if (take(parsing, CLOSING) === null) parsing.at++
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error
      parsing.depth = 0
      take(parsing, /[^\r\n]*/y)
    }
  }
  const unset = [...parsing.vars]
    .filter((name) => !ENVIRONMENT.test(name))
    .map((name) => assign(named(name), parsing.lists.get(name) ?? NULL))
  if (assigned.has('IFS')) unset.push(assign(named(variableName('IFS')), constant(' ')))
  return { body: [...unset, ...body], vars: [...parsing.vars], places: parsing.places, codes: parsing.codes }
}

/** Variables that have a value before. */
const ENVIRONMENT = /^sv_(?:PATH|HOME|USER|PWD|SHELL|LANG|TMPDIR|TERM|IFS|LD_\w+)$/

const DEFINED = /\bfunction[ \t]{1,9}([a-z_][\w-]*)|(?<![\w-])([a-z_][\w-]*)[ \t]{0,9}\(\)/gi

const ASSIGNED =
  /\b([a-z_]\w*)(?:\[[^\]\s]{1,40}\])?\+?=|\b(?:for(?:[ \t]{0,9}\(\([ \t]{0,9}|[ \t]{1,9})|(?:let|printf[ \t]{1,9}-v|(?:read|mapfile|readarray)(?:[ \t]{1,9}-\w{1,9}){0,4})[ \t]{1,9})([a-z_]\w*)((?:[ \t]{1,9}(?!in\b)[a-z_]\w*){0,9})|\$\{([a-z_]\w*):?=/gi

const ALIAS = /\balias[ \t]{1,9}(\w{1,60})=(?:'([^'\r\n]{1,400})'|"([^"\r\n]{1,400})"|([\w./-]{1,60}))/g

const REFERENCE =
  /\b(?:declare|local|typeset)[ \t]{1,9}-n[ \t]{1,9}([a-z_]\w{0,60})=(?:'(\w{1,60})'|"(\w{1,60})"|(\w{1,60}))/gi

function pairsIn(source: string, pattern: RegExp): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', single, double, plain] of source.matchAll(pattern)) {
    keep(NAME_BYTES)
    found.set(name, single ?? double ?? plain ?? '')
  }
  return found
}

const NAME_BYTES = 60

function namesIn(source: string, pattern: RegExp): Set<string> {
  const found = new Set<string>()
  for (const [, one, other, more = '', given] of source.matchAll(pattern)) {
    for (const name of [one ?? other ?? given ?? '', ...more.split(/\s+/)]) {
      if (name === '') continue
      keep(NAME_BYTES)
      found.add(name)
    }
  }
  return found
}
