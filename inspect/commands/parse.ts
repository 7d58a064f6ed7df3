/** Takes command lines of Windows apart, and tells where their programs are. All texts are in lower case. */

import { pattern } from '#inspect/core/pattern.ts'
import { IMAGES, PATH_FILES } from '#inspect/windows/extensions.ts'
import { INSTALLED, PERSONAL, UNSEEN, USER_INSTALLED, WRITABLE } from '#inspect/windows/folders.ts'

/** Stands for a part of a text that is not known. */
export const GAP = '\ufffd'

/** One of several commands that are joined. */
export interface Piece {
  text: string
  /** Files that its output is written to. */
  outputs: readonly string[]
  /** Reads the output of the piece before it, or a file. */
  isFed: boolean
}

/** `cmd /c "…"`. */
export function withoutShell(text: string): string {
  const inner = /^"?(?:%comspec%|(?:\S{0,60}\\)?cmd(?:\.exe)?)"?(?: +\/[a-z](?::\w+)?)* +\/[ckr] *(.*)$/s.exec(
    text,
  )?.[1]
  if (inner === undefined) return text
  return /^".*"$/s.test(inner) && !/^"[^"]*" /.test(inner) ? inner.slice(1, -1) : inner
}

/** Commands that are joined, outside quotes. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  const line = text.replace(/(?:(?<! ) +)?2>&1/g, '')
  let from = 0
  let isQuoted = false
  let isPiped = false
  for (let at = 0; at <= line.length; at++) {
    const character = line[at]
    if (character === '"') isQuoted = !isQuoted
    if (at < line.length && (isQuoted || (character !== '&' && character !== '|'))) continue
    const piece = line.slice(from, at).trim()
    if (piece !== '') pieces.push(pieceOf(piece, isPiped))
    isPiped = character === '|' && line[at + 1] !== '|' && line[at - 1] !== '|'
    from = at + 1
  }
  return pieces
}

const REDIRECTION = /("[^"]*")|([12]?>>?|<) *("[^"]*"|[^\s"<>]+)/g

function pieceOf(piece: string, isPiped: boolean): Piece {
  const outputs: string[] = []
  let isFed = isPiped
  const text = piece.replace(REDIRECTION, (whole, quoted?: string, sign?: string, file = '') => {
    if (quoted !== undefined) return whole
    if (sign === '<') isFed = true
    else if (file !== 'nul') outputs.push(file.replaceAll('"', ''))
    return ''
  })
  return { text: text.trim().replace(/^[(@]+/, ''), outputs, isFed }
}

const PROGRAM_PATH = new RegExp(pattern`^([a-z]:[\\/][^"<>|*?]{0,200}?\.${PATH_FILES})(?: (.*))?$`, 's')

/** The first word or quoted path, and the rest. */
export function splitProgram(piece: string): [program: string, rest: string] {
  const quoted = /^"([^"]*)" ?(.*)$/s.exec(piece)
  if (quoted !== null) return [quoted[1] ?? '', quoted[2] ?? '']
  const path = PROGRAM_PATH.exec(piece)
  if (path !== null) return [path[1] ?? '', path[2] ?? '']
  const at = piece.search(/\s/)
  return at === -1 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1).trim()]
}

/** Without quotes. */
export function argumentsOf(rest: string): string[] {
  return Array.from(rest.matchAll(/(?:"[^"]*"?|[^\s"])+/g), ([argument]) => argument.replaceAll('"', ''))
}

export const isOption = (argument: string): boolean => /^[-/][^\\/]/.test(argument)

export const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? ''

const IMAGE = pattern`\.${IMAGES}$`

/** The name of a program without its path and extension. */
export const programName = (path: string): string => baseName(path).replace(IMAGE, '')

const PATH_NAME = pattern`\.${PATH_FILES}$`

/** The same for tools that are scripts. */
export const toolName = (path: string): string => baseName(path).replace(PATH_NAME, '')

/** The command in `call`, `if` and `start`; undefined: none of them. */
export function innerOf(name: string, rest: string): string | undefined {
  if (name === 'call') return rest
  if (name === 'if') return rest.replace(/^(?:not +)?exist +(?:"[^"]*"|\S+) */, '')
  if (name !== 'start') return undefined
  return rest.replace(/^(?:""|"[^"]*"(?= ))? *(?:\/(?:min|max|b|wait|normal|d +\S+) *)*/, '').replace(/^""(?!\w) */, '')
}

const INSTALLED_PATH = pattern`^${INSTALLED}`
export const isInstalled = (path: string): boolean => INSTALLED_PATH.test(path)

const USER_INSTALLED_PATH = pattern`^${USER_INSTALLED}`

/** Where installers without rights of an administrator put programs. */
export const isUserInstalled = (path: string): boolean => USER_INSTALLED_PATH.test(path)

const LOOSE_PATH = pattern`^(?:%(?!programfiles|windir|systemroot|systemdrive)\w|[a-z]:\\(?:${WRITABLE}|${UNSEEN})\\)`

/** A folder where anyone may write, or where nobody looks. */
export const isLoose = (path: string): boolean => LOOSE_PATH.test(path)

const PERSONAL_PATH = pattern`^${PERSONAL}`

/** A folder of one user, not one that programs save to. */
export const isPersonal = (path: string): boolean => PERSONAL_PATH.test(path)
