/** Finds files that a shell script downloads and runs, and the signs by which attackers differ from installers. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { classifyTarget, isBareAddress, reachOf } from '#inspect/targets/targets.ts'
import { DISGUISES, RUNNABLE } from '#inspect/windows/extensions.ts'
import { SHARED, WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import { FETCHING, FETCHING_METHODS, RUNNING, STARTING, UNPROTECTING } from '#inspect/windows/powershell.ts'
import { DOWNLOADERS, INSTALLERS, SHELLS, STARTERS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { isInstallerOnly } from '../installers.ts'
import { createLists } from './address-lists.ts'

export interface Download {
  /** The address, as far as the script contains it. */
  url: string
  /** Installers do not fetch programs that way. */
  isTelling: boolean
  /** Does little but start what it saved where every program may write, without the arguments of an installer. */
  isStager: boolean
  /** Gives the answer of a server that anybody on the way can replace to an interpreter. */
  isOpen: boolean
}

const DOWNLOADER = anyCase`(?<![\w-])(?:${DOWNLOADERS}|${FETCHING})(?:\.exe)?["']?\s|\.${FETCHING_METHODS}\b|\b(?:urlretrieve|urlopen|requests\.get)\s{0,4}\(`
const URL_TEXT = /(?:https?|ftp):\/\/[^\s"'<>|)]{1,2000}/gi
/** A path or variable that may be the saved file. */
const PATH =
  /[\w.:\\/{}%$~-]{1,300}\.[a-z]\w{1,4}(?![\w.])|\$(?:env:)?[a-z_]\w{0,60}(?![\w\\/])|%\w{1,60}%(?![\w\\/])|\/(?:tmp|var\/tmp|dev\/shm)\/[\w./-]{1,200}/gi
/** Words that run the path after them. A path alone runs as well. */
const RUNS = anyCase`^[\s@("'&]*(?:do\s+|then\s+|call\s+)*(?:(?:${STARTING}|${STARTERS}|${UNIX_SHELLS}|python\d?|nohup|sudo|exec|\.|&)(?:\.exe)?["']?\s.*|(?:subprocess\.\w+|os\.(?:startfile|system|popen|exec\w*))\s{0,4}\(.*)?$`
/** Gives what it fetches to an interpreter. */
const PIPED = anyCase`\|\s{0,9}(?:sudo\s+)?${UNIX_SHELLS}\b|\|\s{0,9}(?:sudo\s+)?python\d?\b|\|\s{0,9}(?:${RUNNING}|${SHELLS})\b|\b${RUNNING}[\s("'&]|${UNIX_SHELLS}\s+(?:-c\s+["']?\$\(|<\()`
const STATEMENT = /&&|\|\||[;\r\n]|(?<!["'=\w])&(?=\s)|\s&\s/
/** For each statement, and for each that contains the name of a file. */
const STATEMENT_WORK = 800
const RUN_WORK = 3_000
/** For each statement in which a name is searched, and for each of its characters. */
const SEARCH_WORK = 40
const SEARCHED_WORK = 1
const CHARACTER_WORK = 20
/** For each character of a statement in which paths are searched. */
const PATH_WORK = 1_000

/** Services that keep files of strangers for a while, and tunnels to computers without a name. */
const THROWAWAY =
  /:\/\/(?:[^/?#@]{0,200}@)?(?:[\w-]+\.)*(?:pastebin\.com|paste\.ee|hastebin\.com|rentry\.co|controlc\.com|(?:cdn|media)\.discordapp\.(?:com|net)|transfer\.sh|file\.io|anonfiles\.com|gofile\.io|catbox\.moe|temp\.sh|0x0\.st|bashupload\.com|oshi\.at|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|serveo\.net|loca\.lt|duckdns\.org|no-ip\.\w+|ddns\.net|hopto\.org|zapto\.org|api\.telegram\.org)(?:[/:?#]|$)/i
export function isThrowaway(url: string): boolean {
  return THROWAWAY.test(url)
}

const OTHER_FILE = anyCase`\.${DISGUISES}(?:[?#]|$)`
/** Named as a file of another kind. */
export function isDisguise(url: string): boolean {
  return OTHER_FILE.test(url)
}

const PROGRAM_FILE = anyCase`\.${RUNNABLE}$`
/** Turns off the protection of the computer, or removes the script. */
const COVERS = anyCase`${UNPROTECTING}|\bdel\b[^\r\n]{0,40}"?%~(?:f0|0|dpnx0)|remove-item[^\r\n]{0,60}\$(?:psc\w*path|myinvocation)|attrib\s+\+[hs]\b`

/** The first with a sign of attackers, or else the first that anybody can replace, or else the first. null: none is run. */
export function findDownload(text: string): Download | null {
  let first: Download | null = null
  let open: Download | null = null
  for (const found of downloadsIn(text)) {
    if (found.isTelling) return found
    first ??= found
    if (found.isOpen) open ??= found
  }
  return open ?? first
}

function* downloadsIn(text: string): Generator<Download> {
  charge(text.length * CHARACTER_WORK)
  const statements = text.split(STATEMENT).map((each) => each.trim())
  const assigned = variablesIn(statements)
  const lastRunOf = createRuns(statements)
  const isFromMakers = createLists(text)
  const covers = createCovers(text)
  for (const [index, statement] of statements.entries()) {
    charge(STATEMENT_WORK)
    const whole = downloading(statement, assigned)
    if (whole === null) continue
    const urls = whole.match(URL_TEXT) ?? ['']
    const url = addressAmong(urls)
    const saved = savedBy(statement, url)
    const run = PIPED.test(statement) ? '' : saved.find((path) => lastRunOf(path) > index)
    if (run === undefined) continue
    const files = [run, ...valuesOf(assigned, run.replace(/^\$/, ''))]
    const isOpen = run === '' && isOpenAddress(url)
    const isLoader = isOpen && statements.length <= LOADER_STATEMENTS_MAX
    const isStager =
      run !== '' && statements.length <= STAGER_STATEMENTS_MAX && isStaged(files, statements[lastRunOf(run)] ?? '', url)
    const isOrdinary = isInstallerOnly(urls.join(' ')) || isFromMakers(statement)
    const isTelling = isTellingFrom(url, files) || isLoader || (!isOrdinary && covers())
    yield { url, isTelling, isOpen, isStager }
  }
}

/** Each may be the one that the file comes from. */
const addressAmong = (urls: readonly string[]): string =>
  urls.find((each) => isBareAddress(each) || THROWAWAY.test(each)) ?? urls[0] ?? ''

/** Read once, and only for a script that needs it. */
function createCovers(text: string): () => boolean {
  let covers: boolean | undefined
  return () => {
    covers ??= COVERS.test(text)
    return covers
  }
}

/** Statements of a script whose purpose is to start what it saves. */
const STAGER_STATEMENTS_MAX = 8
const STAGED = anyCase`(?:${SHARED}|\$env:${WRITABLE_VARIABLES}\b|gettemppath)[^\r\n]{0,300}\.${RUNNABLE}\b`
/** Arguments of installers, and programs that install. */
const INSTALLS = anyCase`(?:^|[\s"',=])[-/]{1,2}(?:s|q|qn|qb|quiet|silent|verysilent|passive|install|i|a|y|norestart|allusers|unattended|mode)\b|\b${INSTALLERS}\b|-wait\b|(?:setup|install|redist|update|upgrade)[\w.-]{0,40}\.(?:exe|msi)`

function isStaged(files: readonly string[], start: string, url: string): boolean {
  return (
    files.some((file) => STAGED.test(file)) && !INSTALLS.test(start) && !INSTALLS.test(url) && !isInstallerOnly(url)
  )
}

/** From a server that installers have no use for, or under another name. */
function isTellingFrom(url: string, files: readonly string[]): boolean {
  if (isBareAddress(url) || THROWAWAY.test(url)) return true
  return OTHER_FILE.test(url) && files.some((file) => PROGRAM_FILE.test(file))
}

/** The statement and the values of its variables, if it may be a download; else null. */
function downloading(statement: string, assigned: ReturnType<typeof variablesIn>): string | null {
  if (COMMENT.test(statement) || !(DOWNLOADER.test(statement) || PROGRAM_NAMED.test(statement))) return null
  charge(statement.length * PATH_WORK)
  const names = new Set(statement.matchAll(VARIABLE).map(([, name = '']) => name.toLowerCase()))
  const named = Array.from(names).flatMap((name) => valuesOf(assigned, name))
  for (const { length } of named) {
    charge(length * CHARACTER_WORK)
    keep(length)
  }
  return [statement, ...named].some((each) => DOWNLOADER.test(`${each} `)) ? [statement, ...named].join(' ') : null
}

/** Statements of a script whose purpose is to run what it fetches. */
const LOADER_STATEMENTS_MAX = 8

/** Everybody on the way can answer for the server. */
function isOpenAddress(url: string): boolean {
  return /^(?:http|ftp):/i.test(url) && reachOf(classifyTarget(url).host) !== 'company'
}

const COMMENT = /^\s*(?:rem\b|::|#)/i
/** A variable is the program. */
const PROGRAM_NAMED = /^[\s({]*(?:(?:then|else|do|sudo|exec)\s{1,9}){0,3}"?\$\{?[a-z_]/i
const VARIABLE = /\$\{?([a-z_]\w{0,60})/gi
/** Of PowerShell, and of other shells, also behind a condition, and what a loop takes one by one. */
const ASSIGNMENT =
  /^[\s({]*\$([a-z_]\w{0,60})\s{0,9}=\s{0,9}(\S.*)$|^[\s({]*(?:(?:then|else|do|export|local|readonly)\s{1,9}){0,3}(?:([a-z_]\w{0,60})=|for\s{1,9}([a-z_]\w{0,60})\s{1,9}in\s{1,9})(\S.*)$/i
/** Values of one variable. */
export const VALUES_MAX = 32

type Variables = ReadonlyMap<string, readonly string[]>

function valuesOf(variables: Variables, name: string): readonly string[] {
  return variables.get(name.toLowerCase()) ?? []
}

/** All values, because a branch may not be taken. */
function variablesIn(statements: readonly string[]): Variables {
  const found = new Map<string, string[]>()
  for (const statement of statements) {
    const [, name, value, other, looped, otherValue] = ASSIGNMENT.exec(statement) ?? []
    const [key, text] = [(name ?? other ?? looped)?.toLowerCase(), value ?? otherValue]
    if (key === undefined || text === undefined) continue
    const known = found.get(key) ?? []
    found.set(key, known)
    charge(STATEMENT_WORK)
    keep(text.length)
    known.push(text.replace(/(?<!["')\s])["')\s]+$/, ''))
    // Of very many, those with a sign of attackers count.
    if (known.length > VALUES_MAX)
      known.splice(
        Math.max(
          0,
          known.findIndex((each) => !isTelling(each)),
        ),
        1,
      )
  }
  return found
}

function isTelling(text: string): boolean {
  return (text.match(URL_TEXT) ?? []).some((url) => isBareAddress(url) || THROWAWAY.test(url))
}

/** Without a path, `curl -O` keeps the name of the file on the server. */
function savedBy(statement: string, url: string): string[] {
  const paths = [...statement.replace(URL_TEXT, ' ').matchAll(PATH)].map(([path]) => path)
  return [...paths, ...(/\s-(?:[a-z]*O|-remote-name)\b/.test(statement) ? [baseName(url)] : [])].filter(
    (path) => path !== '' && !DOWNLOADER.test(`${path} `),
  )
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? ''
}

/** The number of the last statement that runs a file of this name; -1 if none does. Each name is searched once. */
function createRuns(statements: readonly string[]): (path: string) => number {
  const known = new Map<string, number>()
  const characters = statements.reduce((sum, { length }) => sum + length, 0)
  let lower: readonly string[] | undefined
  return (path) => {
    const name = baseName(path).toLowerCase()
    const before = known.get(name)
    if (before !== undefined) return before
    lower ??= statements.map((statement) => statement.toLowerCase())
    charge(lower.length * SEARCH_WORK + characters * SEARCHED_WORK)
    const last = lower.findLastIndex((statement, index) => isRun(name, statement, statements[index] ?? ''))
    keep(name.length)
    known.set(name, last)
    return last
  }
}

function isRun(name: string, lower: string, statement: string): boolean {
  const at = lower.indexOf(name)
  if (at === -1) return false
  charge(RUN_WORK + at * CHARACTER_WORK)
  // Up to the folder of the file.
  return RUNS.test(statement.slice(0, at).replace(/(?<![\w.:\\/{}%$~-])[\w.:\\/{}%$~-]*$/, ''))
}
