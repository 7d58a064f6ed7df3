/** Scripts that cannot do anything, such as parts of a library: they need not be evaluated. */

import { charge } from '#inspect/core/work.ts'
import { mayTell } from './effects.ts'
import type { Token } from './tokens.ts'

const TOKEN_WORK = 20

/** They call what a text names. */
const BY_TEXT: ReadonlySet<string> = new Set(['evaluate', 'callbyname', 'declare'])
/** Whose elements are files that a program loads, mails or opens. Elsewhere, `Add` only fills a list. */
const LOADING: ReadonlySet<string> = new Set(['attachments', 'addins', 'documents', 'workbooks', 'actions'])

/**
 * The classes of the objects that it creates, if it calls nothing else by which anything happens; null: it may act. Only names
 * are looked at: all that a script does, it does by a function or member whose name is in it, or runs a text.
 */
export function inertClasses(tokens: readonly Token[]): string[] | null {
  charge(tokens.length * TOKEN_WORK)
  const classes: string[] = []
  const loads = tokens.some(({ kind, text }) => kind === 'name' && LOADING.has(text))
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'name' || !isActor(tokens, at, token.text, loads)) continue
    const created = token.text === 'createobject' ? createdAt(tokens, at) : null
    if (created === null) return null
    classes.push(created)
  }
  return classes
}

function isActor(tokens: readonly Token[], at: number, name: string, loads: boolean): boolean {
  if (name === 'add') return loads
  // `Name a As b` renames a file. Anywhere else, it is a property.
  if (name === 'name') return isStatement(tokens, at)
  // A formula in brackets.
  return mayTell(name) || BY_TEXT.has(name) || name.includes('(')
}

function isStatement(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  const begins = before === undefined || before.kind === 'eol' || before.text === 'then' || before.text === 'else'
  return begins && tokens[at + 1]?.text !== '='
}

/** `CreateObject("class")`, without a server and without events. */
function createdAt(tokens: readonly Token[], at: number): string | null {
  const [open, name, close] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]]
  return open?.text === '(' && name?.kind === 'text' && close?.kind === 'operator' && close.text === ')'
    ? name.text
    : null
}
