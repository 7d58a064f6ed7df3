/** Recognises command lines that start an interpreter, download a file or run one through another program. */

import { pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { FETCHING, FETCHING_METHODS } from '#inspect/windows/powershell.ts'
import {
  ADDRESS_READERS,
  COMMAND_SHAPES,
  type CommandKind,
  type CommandShape,
  UNIX_SHELLS,
} from '#inspect/windows/programs.ts'

interface Command {
  kind: CommandKind
  /** The program, such as `powershell`. */
  program: string
  /** Contains the address of another computer, also after decoding. */
  isRemote: boolean
  /** Contains a command in Base64. */
  isEncoded: boolean
  /** That command, in lower case, if it can be read. */
  decoded: string | null
  /** Written so that it cannot be read or searched: carets, quotes inside words, joined pieces. */
  isObfuscated: boolean
  /** Starts something on Windows. Pages explain commands of other systems more often. */
  isWindows: boolean
}

interface Shape extends Omit<CommandShape, 'rest'> {
  rest: RegExp
}

const SHAPES: readonly Shape[] = COMMAND_SHAPES.map((row) => ({ ...row, rest: new RegExp(`^(?:${row.rest})`) }))
const NAMES = SHAPES.flatMap(({ names }) => names).sort((a, b) => b.length - a.length)
const NAME = new RegExp(
  String.raw`(?<![\w-])(?:${NAMES.map((name) => name.replace('|', String.raw`\| ?(?:sudo )?(?:/(?:usr/)?bin/)?`)).join('|')})(?![\w-])`,
  'g',
)
const SHAPES_OF: ReadonlyMap<string, readonly Shape[]> = new Map(
  NAMES.map((name) => [name, SHAPES.filter(({ names }) => names.includes(name))]),
)

/** For each text, each name of a program in it, each that begins a command, each character, and each that is removed. */
const TEXT_WORK = 2_000
const NAME_WORK = 1_500
const COMMAND_WORK = 5_000
const CHARACTER_WORK = 20
const REMOVED_WORK = 80
export const REST_MAX = 1_000
/** Characters before a name that may belong to its command line. */
const BEFORE_MAX = 300

interface Found {
  shape: Shape
  around: string
}

/**
 * The first command with an address of another computer, or else the first: a harmless one may precede it. What runs a
 * file through another program counts before the shell that starts it.
 */
function findShape(text: string): Found | null {
  let first: Found | null = null
  let remote: Found | null = null
  for (const found of shapesIn(text)) {
    const isRemote = REMOTE.test(found.around)
    if (isRemote && found.shape.kind === 'proxy') return found
    if (isRemote) remote ??= found
    first ??= found
  }
  return remote ?? first
}

function* shapesIn(text: string): Generator<Found> {
  for (const { 0: name, index } of text.matchAll(NAME)) {
    charge(NAME_WORK)
    const end = index + name.length
    const rest = text
      .slice(end, end + REST_MAX)
      .replace(/^\.(?:exe|com)/, '')
      .replace(/^["'](?=[ /])/, '')
      .replace(/^ -arg(?:s|umentlist)? (?:@\( ?)?/, ' ')
    const found = SHAPES_OF.get(name.replace(/^\| ?(?:sudo )?(?:\/(?:usr\/)?bin\/)?/, '|'))?.find((each) =>
      each.rest.test(rest),
    )
    if (found === undefined) continue
    charge(COMMAND_WORK)
    yield { shape: found, around: text.slice(Math.max(0, index - BEFORE_MAX), end + REST_MAX) }
  }
}

/** Also without a scheme: an IP address with a path, and a name that a program for downloads is given. */
const REMOTE = pattern`https?:\/\/(?!(?:localhost|127(?:\.\d{1,3}){3})(?::(?:\d{1,5}|%\w{1,40}%|%\d|\$\w{1,40}|\$[{]\w{1,40}\}))?(?![\w.:@%\\-]))[\w[@]|ftp:\/\/\w|\\\\(?!(?:localhost|127(?:\.\d{1,3}){3})[\\/]|[.?]\\)(?:[\w.-]+(?:@ssl|@\d+)?\\|[\w-]+(?:\.[\w-]+)+\/\w)|@[\w.-]+\.\w+\s*(?:\||['"]\))|\bnslookup(?:\.exe)? [^|<>]{0,200}\.[a-z]{2,10}\b[^|<>]{0,100}(?:\||\) ?do\b)|(?<![\w.])(?!127\.)\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\/\w|(?<![\w-])(?:${FETCHING}|${FETCHING_METHODS}|${ADDRESS_READERS}(?:\.exe)?)(?: -[a-z]+)*[ (]{1,2}["']?(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,10}(?::\d{1,5})?(?:\/|["')]|$)`

const PIPED_TO_SHELL = pattern`\| ?(?:sudo )?(?:/(?:usr/)?bin/)?${UNIX_SHELLS}\b`

const ENCODED_ARGUMENT = pattern`frombase64string|-enc?\w* [\w+/=]{16}|\| ?(?:openssl )?base64 -(?:d|-decode)\b.{0,40}\| ?(?:sudo )?(?:/(?:usr/)?bin/)?${UNIX_SHELLS}\b`

/** null: the text is no such command. Prose that names a program is none; a quoted command line is. */
export function findCommand(text: string): Command | null {
  charge(TEXT_WORK + text.length * CHARACTER_WORK)
  const raw = text.toLowerCase()
  const plain = withoutObfuscation(raw)
  const found = findShape(plain)
  if (found === null) return null
  const { shape, around } = found
  const decoded = decodedCommand(text) ?? decodedPipe(text)
  return {
    kind: shape.kind,
    program: shape.program,
    isRemote: REMOTE.test(around) || (decoded !== null && REMOTE.test(decoded)),
    isEncoded: decoded !== null || ENCODED_ARGUMENT.test(plain),
    decoded,
    isObfuscated: isObfuscated(raw, plain),
    isWindows: shape.isWindows && !PIPED_TO_SHELL.test(around),
  }
}

/** All but single spaces, which a text has after every word. */
const SPACES = / \s+|[^\S ]\s*/g

/** Removes what interpreters ignore: carets, backticks, quotes inside words, joins of literals, white space. */
function withoutObfuscation(text: string): string {
  const spaced = text.replace(SPACES, ' ').replaceAll('%comspec%', 'cmd.exe')
  const plain = spaced.replace(/[\^`](?=\S)/g, '')
  charge((spaced.length - plain.length) * REMOVED_WORK)
  return plain.replace(/(['"]) ?\+ ?\1/g, '').replace(/(?<=\w)(?:''|"{1,2})(?=\w)/g, '')
}

/** Carets and joins inside words. One caret may escape a character, and parts of the date name files. */
const OBFUSCATION =
  /(?:\w[\^`]){2}|(?:['"] ?\+ ?['"][^'"]{1,4}){2}|%(?!date:|time:)\w+:~-?\d|\w""\w|\w''\w|-f ?['"]\w{1,4}['"],/

function isObfuscated(raw: string, plain: string): boolean {
  return raw !== plain && OBFUSCATION.test(raw)
}

const ENCODED = /[-/]e(?:c|nc?\w{0,12})? ["']?([A-Za-z0-9+/]{16,}={0,2})/i

/** The argument of `-EncodedCommand`, which is UTF-16. */
function decodedCommand(text: string): string | null {
  const encoded = ENCODED.exec(text.replace(/[\^`]/g, '').replace(SPACES, ' '))?.[1]
  if (encoded === undefined) return null
  const decoded = Buffer.from(encoded, 'base64').toString('utf16le').toLowerCase()
  return /^[\x20-\x7e\s]{4,}/.test(decoded) ? decoded : null
}

const DECODER = /\|\s{0,4}(?:openssl )?base64\s{1,4}-(?:d|D|-decode)\b/g
const CODED_MIN = 16

/** The text that shells of other systems decode: `echo … | base64 -d | sh`. */
function decodedPipe(text: string): string | null {
  for (const { index } of text.matchAll(DECODER)) {
    const encoded = codedBefore(text, index)
    if (encoded.length >= CODED_MIN) return Buffer.from(encoded, 'base64').toString('latin1').toLowerCase()
  }
  return null
}

/** The Base64 that ends at the position. A regular expression would start at every character of a long run. */
function codedBefore(text: string, end: number): string {
  let last = end
  while (end - last < 6 && /["'\s=]/.test(text[last - 1] ?? '')) last--
  let first = last
  while (first > 0 && /[A-Za-z0-9+/]/.test(text[first - 1] as string)) first--
  charge((last - first) * CHARACTER_WORK)
  return text.slice(first, last)
}
