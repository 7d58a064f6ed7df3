/** What clamd's answer to a document means: only one exact answer is clean, and what is not understood is a failure. */
import type { Outcome } from '#engines/engine.ts'

const CLEAN = Buffer.from('stream: OK\0')
const ENCRYPTED = 'Heuristics.Encrypted'
const LIMITED = 'Heuristics.Limits.Exceeded'
/** In the words of whoever sent the document. */
const LIMITS = new Map([
  ['MaxRecursion', 'The document is nested too deep for'],
  ['MaxFiles', 'The document has too many parts for'],
  ['MaxFileSize', 'A part of the document is too large for'],
  ['MaxScanSize', 'The document unpacks to too much for'],
  ['MaxScanTime', 'The document takes too long for'],
])
const THREAT_LENGTH_MAX = 200
/** For the log: enough to recognise what came instead. */
const EXCERPT_LENGTH_MAX = 120

/** `bytes` is everything that came before clamd closed the connection. */
export function readReply(bytes: Buffer): Outcome {
  if (bytes.equals(CLEAN)) return { kind: 'clean' }
  const name = foundName(bytes)
  if (name === null) return failed(bytes)
  // clamd reports these as FOUND, but they say that it gave up, not that it found something.
  if (isOfFamily(name, ENCRYPTED)) {
    const detail = `The document, or a part of it, is protected by a password (${name}).`
    return { kind: 'unscannable', obstacle: 'encrypted', detail }
  }
  if (isOfFamily(name, LIMITED)) {
    const what = LIMITS.get(name.slice(LIMITED.length + 1)) ?? 'The document goes past a limit of'
    return { kind: 'unscannable', obstacle: 'too_complex', detail: `${what} the engine clamd (${name}).` }
  }
  return { kind: 'detected', threat: name, path: [] }
}

/** The name in `stream: <name> FOUND\0`, fit to be shown; null when it is anything else, such as two answers. */
function foundName(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  if (text.indexOf('\0') !== text.length - 1) return null
  const name = /^stream: (.+) FOUND\0$/s.exec(text)?.[1]
  if (name === undefined) return null
  return printable(name, THREAT_LENGTH_MAX) || null
}

function isOfFamily(name: string, family: string): boolean {
  return name === family || name.startsWith(`${family}.`)
}

function failed(bytes: Buffer): Outcome {
  if (bytes.length === 0)
    return { kind: 'failed', late: false, detail: 'clamd closed the connection without an answer' }
  const excerpt = printable(bytes.toString('utf8'), EXCERPT_LENGTH_MAX)
  return { kind: 'failed', late: false, detail: `clamd answered: ${excerpt}` }
}

/** Without control, format and lone surrogate characters: the text goes into logs, records and answers. */
export function printable(text: string, lengthMax: number): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
}
