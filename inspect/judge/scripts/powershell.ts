/** Effects of PowerShell, in a file of its own or in the lines of a batch file. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { parsePowerShell } from '#inspect/programs/shells/powershell/powershell.ts'
import { readStatements, type Statement } from '#inspect/programs/shells/powershell/splitting.ts'
import { resolve } from '#inspect/programs/shells/resolve.ts'
import { isBareAddress, isIpAddress, reachOf } from '#inspect/targets/targets.ts'
import { RUNNABLE } from '#inspect/windows/extensions.ts'
import { SHARED, WRITABLE, WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import { FETCHING, FETCHING_METHODS, RUNNING, UNPROTECTING } from '#inspect/windows/powershell.ts'
import { DECODING, DOWNLOADING, ENCODING, RUNNERS } from '#inspect/windows/programs.ts'
import { assess } from '../command/assess.ts'
import { isInstallerOnly } from '../installers.ts'
import { withAsciiNames } from './ascii-names.ts'
import { findCoded, isAttackCode } from './coded.ts'
import { findDownload, isThrowaway } from './downloads.ts'
import { type Effects, type Loading, mergeEffects, NO_EFFECTS } from './effects.ts'
import { type Flow, followData } from './flow.ts'
import { doesHarm } from './harm.ts'

/** Text of a shell script that nobody can read. Parts of the date name files. */
export const ENCODES = new RegExp(
  pattern`[%!](?!date:|time:)\w+:~|(?:\w[\^\x60]\w.{0,99}){2}|[a-z0-9+/]{160}|^.{2000}|base64|-join\b|\[char|['"] ?-f ?['"]|${ENCODING}|\beval\b|\bxxd\b|(?:\\x[\da-f]{2}){4}`,
  'im',
)

/** Letters that hide a command. */
const HIDDEN = anyCase`(?:\d{2,3}\s{0,4},\s{0,4}){4}\d{2,3}\s{0,4}\)?\s{0,4}\|\s{0,4}(?:%|foreach(?:-object)?)\s{0,4}\{[^}\r\n]{0,60}\[char\]|-join\s{0,4}\(?\s{0,4}\(?\s{0,4}(?:'[^'\r\n]{0,999}'|"[^"\r\n]{0,999}")\s{0,4}\[\s{0,4}-1\s{0,4}\.\.|(?:gcm|get-command)\s{1,4}['"]?[\w?-]{0,40}\*[^\r\n&]{0,100}&\s{0,4}\$_|-join\s{0,4}\(?\$\w+\[\s{0,4}-1\.\.|['"]\[\s{0,4}-1\s{0,4}\.\.\s{0,4}-?\d{1,6}\s{0,4}\]\s{0,4}-join|\[\s{0,4}-?\d{1,3}(?:\s{0,4},\s{0,4}-?\d{1,3}){1,9}\s{0,4}\]\s{0,4}-join|\[char\][^\r\n]{0,40}\|\s{0,4}${RUNNING}\b|(?:\[char\]\s{0,4}\(?\s{0,4}(?:0x[4-7][\da-f]|6[5-9]|[7-9]\d|1[01]\d|12[0-2])\s{0,4}\)?\s{0,4}[+,]\s{0,4}){3}|amsiutils|virtualalloc`
const STARTS = anyCase`(?:cmd(?:\.exe)?\s{1,4}/[ck]\s|${RUNNING}|start-process|invoke-item|&\s*["'$]|start\s+["%\w])`
/** A program that it contains as text. */
const DECODES = /frombase64string|-bxor|\[convert\]::tobyte|\[char\[?\]?\]/i
const DROPS_DECODED = /writeallbytes\b(?:(?!writeallbytes\b)[\s\S]){0,2000}(?:start-process|invoke-item|&\s*["'$])/i
/** A window that nobody sees, for more than a script of the computer. */
const WINDOW = /-w(?:in[a-z]*)?['",\s]+(?:hidden|1\b)/i
const INTERPRETER = anyCase`\b${RUNNERS}\b`
const OWN_SCRIPT = anyCase`-f(?:ile)?['",\s\x60\\]{1,20}(?:[a-z]:\\(?!${WRITABLE}\\)|\$\(?(?!env:)\w|%~|\.{1,2}\\|[\w-]+\.ps1)`
const FETCHES = anyCase`${FETCHING_METHODS}|\b${FETCHING}\b|${DOWNLOADING}`
/** Switches off protection, and starts what it protects from. Tools for settings only switch. */
const UNPROTECTS = anyCase`${UNPROTECTING}`

/** Memory that is written and run as code, whatever fetched it. */
const INJECTS =
  /virtualalloc(?:(?!virtualalloc)[\s\S]){0,20000}(?:createthread|getdelegateforfunctionpointer|queueuserapc|enumwindows)/i
/** Runs the answer of a server; turns coded text into a program and starts it. */
const DROPS = [
  /\bfor\s+\/f(?:(?!\bfor\s+\/f)[^\r\n]){0,200}\(\s{0,4}['"`](?=[^\r\n]{0,400}(?:\bfinger\b|https?:|\birm\b|\biwr\b))[^\r\n]{0,600}\bdo\s+(?:@?call\s+|cmd\s+\/c\s+|\(\s*)?"?%%?~?[a-z]\b/i,
  anyCase`${DECODING}([^\s"]+\.${RUNNABLE})\b[\s\S]{0,2000}\1`,
]
export const COMMENT = /^\s*(?:rem\b|::|#)/i

/** Statements beside those that load something, in a script whose purpose that is. */
const LOADER_STATEMENTS_MAX = 8
const CHARACTER_WORK = 200
const FORMAT_WORK = 20
const LINE_WORK = 5_000
/** A command in Base64 that contains another one. */
export const NESTED_MAX = 4

/** Of a script file. Comments are none of its commands. */
export function powerShellEffects(written: string, nested = 0): Effects {
  const source = withAsciiNames(written)
  const plain = writtenEffects(source, nested)
  if (nested >= NESTED_MAX) return plain
  const { copies, codes } = resolve(source, parsePowerShell, quoted)
  return mergeEffects([
    plain,
    ...copies.map((copy) => writtenEffects(copy, nested)),
    ...codes.map((code) => powerShellEffects(code, nested + 1)),
  ])
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** As it is written, with what it says of its own texts. */
function writtenEffects(source: string, nested: number): Effects {
  const { statements, code } = readStatements(source)
  return effectsOf(code, statements, nested)
}

/** Of the lines of a batch file, which may give commands to PowerShell. */
export function lineEffects(source: string): Effects {
  charge(source.length * CHARACTER_WORK)
  const lines = source.split(/\r?\n|\r/).filter((line) => line.trim() !== '' && !COMMENT.test(line))
  return effectsOf(
    source,
    lines.map((text) => ({ text: withoutSigns(text), inside: '' })),
    0,
  )
}

function effectsOf(source: string, statements: readonly Statement[], nested: number): Effects {
  charge(source.length * CHARACTER_WORK)
  const text = folded(source)
  const flow = followData(
    text === source ? statements : statements.map((each) => ({ ...each, text: folded(each.text) })),
  )
  const loads = loadingOf(flow, statements.length)
  const isInstaller = isInstallerOnly(text)
  const fetches = loads !== null || (FETCHES.test(text) && /https?:|\$\w/i.test(text) && !isInstaller)
  return {
    ...NO_EFFECTS,
    starts: [...threatsIn(text === source ? source : `${source}\n${text}`, flow, nested), ...codedIn(text)],
    fetches,
    saves: fetches,
    runsText: loads !== null,
    loads,
    isHidden:
      (HIDDEN.test(text) && (fetches || STARTS.test(text))) ||
      hidesWindow(text) ||
      flow.runsDecoded ||
      (DECODES.test(text) && DROPS_DECODED.test(text)) ||
      DROPS.some((each) => each.test(text)),
    doesHarm: INJECTS.test(text) || doesHarm(text) || unprotects(text),
    isUnclear: ENCODES.test(source) || HIDDEN.test(text),
    download: findDownload(text),
  }
}

function loadingOf({ fetched }: Flow, statements: number): Loading | null {
  const addresses = fetched.filter((address) => address === '' || !isInstallerOnly(address))
  if (addresses.length === 0) return null
  if (addresses.some((each) => isBareAddress(each) || isThrowaway(each))) return 'hostile'
  const isOpen = addresses.some((each) => /^(?:http|ftp):/i.test(each))
  if (statements > LOADER_STATEMENTS_MAX + addresses.length) return isOpen ? 'loader' : 'step'
  return isOpen ? 'hostile' : 'loader'
}

/** Without carets and backticks inside words, and with joined texts. */
function folded(source: string): string {
  return replacedIn(formatted(withoutSigns(source))).replace(/(['"])\s{0,8}\+\s{0,8}\1/g, '')
}

function withoutSigns(text: string): string {
  return text.replace(/(?<=\S)[\^`](?=\S)/g, '')
}

const FORMAT =
  /\(?\s{0,4}(['"])((?:[^'"{}\r\n]{0,40}\{\d{1,2}\}){1,40}[^'"{}\r\n]{0,40})\1\s{0,4}-f\s{0,4}((?:\s{0,4},?\s{0,4}\(?(?:'[^'\r\n]{0,200}'|"[^"\r\n]{0,200}")\)?){1,40})\s{0,4}\)?/gi

/** PowerShell puts texts together by `'{1}{0}' -f 'b','a'`. */
function formatted(source: string): string {
  return source.replace(FORMAT, (_, quote: string, pattern: string, list: string) => {
    const values = [...list.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '')
    const text = quote + pattern.replace(/\{(\d+)\}/g, (__, index: string) => values[Number(index)] ?? '') + quote
    charge(text.length * FORMAT_WORK)
    keep(text.length)
    return text
  })
}

/** A text after a comma belongs to the replacement before it. */
const REPLACED =
  /(?<!,\s{0,4})(['"])([^'"\r\n]{1,400})\1\)?\s{0,4}(-[ci]?replace|\.replace\()\s{0,4}(['"])([\w#@~ -]{1,40})\4\s{0,4},\s{0,4}(['"])([^'"\r\n$]{0,40})\6(?:[ \t]{0,4}\))?/gi

/** `'text' -replace 'a','b'`, also several times. */
function replacedIn(source: string): string {
  let text = source
  for (;;) {
    charge(text.length * FORMAT_WORK)
    const next = text.replace(REPLACED, (...[, quote, part, operator = '', , from, , to = '']: string[]) => {
      const flags = /^-i?replace$/i.test(operator) ? 'gi' : 'g'
      const found = `${part}`.replace(new RegExp(`${from}`, flags), () => to)
      charge(found.length * FORMAT_WORK)
      keep(found.length)
      return `${quote}${found}${quote}`
    })
    if (next === text) return text
    text = next
  }
}

/** Lines with a command that hides something, or runs the page of another computer. */
/** A program on a file server. */
const SERVED = anyCase`(?:^|[&|(@{;]|\b(?:start|start-process|call|do|else|invoke-item|ii))\s{0,8}(?:"[^"\r\n]{0,80}"\s{1,4})?(?:[-/]\w{1,20}\s{1,4}){0,4}["']?\\\\([\w.-]{1,200})(@\w{1,5})?\\[^"'|&<>\r\n]{0,300}\.${RUNNABLE}\b`

/** Companies have names for their file servers. Only others have a bare address, the port of a web server, or a tunnel. */
function startsServed(line: string): boolean {
  const [, host, port] = SERVED.exec(line) ?? []
  if (host === undefined) return false
  return port !== undefined || (isIpAddress(host) && reachOf(host) === 'internet') || isThrowaway(`://${host}/`)
}

function threatsIn(source: string, flow: Flow, nested: number): string[] {
  return source.split(/\r?\n|\r/).filter((line) => {
    charge(LINE_WORK)
    if (COMMENT.test(line)) return false
    if (startsServed(line)) return true
    const command = findCommand(line)
    if (command === null) return false
    const isEncoded = command.isEncoded && (flow.runsDecoded || !/frombase64string/i.test(line))
    const isProxy = isRemoteProxy(command) && piecesOf(line).some((piece) => isRemoteProxy(findCommand(piece)))
    return (
      (isEncoded && !isHarmless(command.decoded, nested)) ||
      command.isObfuscated ||
      (isProxy && assess(line, { by: 'script', source: line.toLowerCase() }) === 'hostile')
    )
  })
}

/** What one command names is no argument of the next. */
const piecesOf = (line: string): readonly string[] =>
  line.includes('&') ? (line.match(/(?:[^&"]|"[^"]*(?:"|$))+/g) ?? []) : [line]

const isRemoteProxy = (command: ReturnType<typeof findCommand>): boolean =>
  command?.isRemote === true && command.kind === 'proxy'

/** Administrators give commands with quotes in them as Base64. */
function isHarmless(decoded: string | null, nested: number): boolean {
  if (decoded === null || nested >= NESTED_MAX || isAttackCode(decoded) || findCommand(decoded) !== null) return false
  const { starts, runsText, isHidden, doesHarm: harms, download } = powerShellEffects(decoded, nested + 1)
  return starts.length === 0 && !runsText && !isHidden && !harms && download === null
}

function codedIn(text: string): string[] {
  const coded = findCoded(text)
  return coded === null ? [] : [coded]
}

/** A program in a file, apart from those of Windows, or a command of others. */
const RUNS_OTHER = anyCase`https?:|\b(?:${RUNNING}|frombase64string)\b|-e(?:nc?|ncodedcommand)?\s+[\w+/=]{24}|(?<!${RUNNERS}|conhost)\.(?!ps1)${RUNNABLE}\b`

const DROP_FOLDER = anyCase`${SHARED}`

function hidesWindow(text: string): boolean {
  return text
    .split(/\r?\n|\r/)
    .some(
      (line) =>
        WINDOW.test(line) &&
        INTERPRETER.test(line) &&
        !OWN_SCRIPT.test(line) &&
        (RUNS_OTHER.test(line) || DROP_FOLDER.test(line)),
    )
}

const FOLDER_VARIABLE = anyCase`\$env:${WRITABLE_VARIABLES}\b`

function unprotects(text: string): boolean {
  if (!UNPROTECTS.test(text)) return false
  return text
    .split(/\r?\n|\r/)
    .some((line) => STARTS.test(line) && (DROP_FOLDER.test(line) || FOLDER_VARIABLE.test(line)))
}
