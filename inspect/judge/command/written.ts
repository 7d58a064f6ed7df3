/** Files that a macro writes: starting one of them is more than starting a program that is there already. */

import {
  argumentsOf,
  baseName,
  GAP,
  isLoose,
  isOption,
  type Piece,
  programName,
  splitProgram,
  toolName,
} from '#inspect/commands/parse.ts'
import { foreignServers } from '#inspect/targets/targets.ts'

export interface Written {
  /** In lower case. With a backslash at its end, a folder or disk: the names in it are unknown. */
  path: string
  /** From the internet, or put together by the macro. Otherwise, copied from a place of the company. */
  isForeign: boolean
}

const COPIES = /^(?:copy|xcopy|move|ren|rename|robocopy|expand)$/
const EXTRACTS = /^(?:tar|7z|7za|7zg|rar|winrar|unrar|unzip)$/
const FETCHES = /^(?:curl|wget)$/
const TRANSFERS = /^(?:git|svn|hg|sftp|scp|pscp|psftp|winscp|ftp)$/

/** Files that the pieces of a command write, in addition to those that are known. */
export function writtenByPieces(pieces: readonly Piece[], known: readonly Written[] = []): Written[] {
  const found = [...known]
  for (const { text, outputs } of pieces) {
    for (const path of outputs) found.push({ path, isForeign: true })
    const [program, rest] = splitProgram(text.replace(/^(?:call|start(?: +""| +\/\w+)*) +/, ''))
    const args = argumentsOf(rest)
    found.push(...writtenBy(programName(program), args, found))
  }
  return found
}

function writtenBy(tool: string, args: readonly string[], known: readonly Written[]): Written[] {
  const values = args.filter((argument) => !isOption(argument))
  if (COPIES.test(tool)) return copied(tool, values)
  if (FETCHES.test(tool)) return fetched(args)
  if (EXTRACTS.test(tool) && /^(?:-?[^\Wx]*x\w*|e|--extract)$/.test(args[0] ?? '')) {
    const isForeign = values.some((value) => known.some((file) => file.isForeign && namesFile(file, value)))
    return [{ path: folderOf(args), isForeign }]
  }
  if (TRANSFERS.test(tool)) return transferred(values)
  return mapped(tool, values)
}

const asFolder = (path: string): string => (path.endsWith('\\') ? path : `${path}\\`)

function copied(tool: string, values: readonly string[]): Written[] {
  const [source = '', target = ''] = values
  if (target === '') return []
  const isForeign = foreignServers(source).includes(true)
  const files = tool === 'robocopy' ? values.slice(2) : [baseName(source)]
  const named = files.filter((file) => file !== '' && !/[*?]/.test(file))
  const inFolder = named.length === files.length && named.length > 0 ? named : ['']
  const paths = [target, ...inFolder.map((file) => asFolder(target) + file)]
  return paths.map((path) => ({ path, isForeign }))
}

function fetched(args: readonly string[]): Written[] {
  const paths = args.flatMap((argument, at) => {
    if (/^--?(?:o|output|output-document)$/.test(argument)) return [args[at + 1] ?? '']
    const joined = /^(?:-o|--output=|--output-document=)(.+)$/.exec(argument)?.[1]
    return joined === undefined ? [] : [joined]
  })
  const pages = args.filter((argument) => /^https?:/.test(argument)).map((url) => baseName(url.split(/[?#]/)[0] ?? ''))
  return [...paths, ...pages].map((path) => ({ path, isForeign: true }))
}

/** Of an archive. */
function folderOf(args: readonly string[]): string {
  const at = args.findIndex((argument) => /^(?:-c|--directory)$/.test(argument))
  const folder = at === -1 ? /^-o(.+)$/.exec(args.find((each) => /^-o./.test(each)) ?? '')?.[1] : args[at + 1]
  return folder === undefined ? '\\' : asFolder(folder)
}

function transferred(values: readonly string[]): Written[] {
  const fetches = values.some((value) => /^\w[\w.-]*@|:\/\/|^[\w.-]{2,}:/.test(value)) && values.length > 1
  const target = values.at(-1) ?? ''
  return fetches ? [target, asFolder(target)].map((path) => ({ path, isForeign: true })) : []
}

/** A letter for a share or a folder. */
function mapped(tool: string, values: readonly string[]): Written[] {
  const [letter = '', target = ''] = tool === 'net' ? values.slice(1) : tool === 'subst' ? values : []
  return /^[a-z]:$/.test(letter) ? [mappedDrive(letter, target)] : []
}

export const mappedDrive = (letter: string, target: string): Written => ({
  path: asFolder(letter.toLowerCase()),
  isForeign: foreignServers(asFolder(target)).includes(true) || isLoose(target.toLowerCase()),
})

/** null: not one of them. */
export function findWritten(path: string, written: readonly Written[]): Written | null {
  const found = written.filter((file) => namesFile(file, path))
  return found.find(({ isForeign }) => isForeign) ?? found[0] ?? null
}

function namesFile(file: Written, path: string): boolean {
  if (file.path.endsWith('\\')) return file.path === '\\' || path.startsWith(file.path)
  const [name, other] = [baseName(file.path), baseName(path)]
  return name !== '' && !name.startsWith(GAP) && (name === other || toolName(name) === other)
}
