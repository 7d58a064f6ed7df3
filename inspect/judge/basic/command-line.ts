/** Takes command lines of Windows apart, and tells where their programs are. All texts are in lower case. */

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

/** The first word or quoted path, and the rest. */
export function splitProgram(piece: string): [program: string, rest: string] {
  const quoted = /^"([^"]*)" ?(.*)$/s.exec(piece)
  if (quoted !== null) return [quoted[1] ?? '', quoted[2] ?? '']
  const path = /^([a-z]:[\\/][^"<>|*?]{0,200}?\.(?:exe|com|bat|cmd))(?: (.*))?$/s.exec(piece)
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

export const isInstalled = (path: string): boolean =>
  /^(?:[a-z]:\\(?:program files(?: \(x86\))?|progra~[12])\\|%programfiles(?:\(x86\))?%\\)/.test(path)

const LOCAL = String.raw`(?:%localappdata%|(?:%userprofile%|[a-z]:\\users\\[^\\]+)\\appdata\\local)`
const USER_INSTALLED = new RegExp(
  String.raw`^(?:${LOCAL}\\(?:programs\\[^\\]+\\|microsoft\\(?:teams|onedrive|edge\\application)\\|google\\chrome\\application\\|mozilla firefox\\|slack\\)|(?:%(?:programdata|allusersprofile|userprofile)%|[a-z]:\\(?:programdata|users\\[^\\]+)|${LOCAL})\\(?:(?:ana|mini)conda|miniforge|mambaforge)\d?\\)`,
)

/** Where installers without rights of an administrator put programs. */
export const isUserInstalled = (path: string): boolean => USER_INSTALLED.test(path)

/** A folder where anyone may write, or where nobody looks. */
export const isLoose = (path: string): boolean =>
  /^(?:%(?!programfiles|windir|systemroot|systemdrive)\w|[a-z]:\\(?:users|programdata|windows\\temp|temp|tmp|perflogs|\$[^\\]*|recycler|recovery|intel|msocache|documents and settings|system volume information|config\.msi)\\)/.test(
    path,
  )

/** A folder of one user, not one that programs save to. */
export const isPersonal = (path: string): boolean =>
  /^(?:%userprofile%|[a-z]:\\users\\(?!public\\)[^\\]+)\\(?!appdata\\|downloads\\)/.test(path)
