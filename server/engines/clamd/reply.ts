/** The outcome of an exchange with clamd: only one exact reply is clean, and every unknown reply is a failure. */
import { failed, type Outcome } from '#engines/engine.ts'
import { type Exchange, printable } from './client.ts'

const CLEAN = Buffer.from('stream: OK\0')
const ENCRYPTED = 'Heuristics.Encrypted'
const LIMITED = 'Heuristics.Limits.Exceeded'
/** Shown to clients. */
const LIMITS = new Map([
  ['MaxRecursion', 'The document is nested too deeply for clamd'],
  ['MaxFiles', 'The document has too many parts for clamd'],
  ['MaxFileSize', 'A part of the document is too large for clamd'],
  ['MaxScanSize', 'The unpacked document is too large for clamd'],
  ['MaxScanTime', 'The document takes too long for clamd'],
])
const THREAT_LENGTH_MAX = 200
/** For the log: enough to recognise an unexpected reply. */
const EXCERPT_LENGTH_MAX = 120

/** The only place where an exchange becomes a verdict: clean needs the exact reply, given after the whole document. */
export function outcomeOf(exchange: Exchange): Outcome {
  switch (exchange.kind) {
    case 'answered': {
      const outcome = readReply(exchange.reply)
      if (outcome.kind !== 'clean' || exchange.complete) return outcome
      return failed('clamd answered OK before it had the whole document')
    }
    case 'unanswered':
      return failed(`clamd ${exchange.detail}`)
    case 'aborted':
      return failed('clamd did not answer in time', true)
    case 'withdrawn':
      return failed('the document was gone before it was sent to clamd')
  }
}

/** `bytes` is everything that clamd sent before it closed the connection. */
export function readReply(bytes: Buffer): Outcome {
  if (bytes.equals(CLEAN)) return { kind: 'clean' }
  const name = foundName(bytes)
  if (name === null) return failed(`clamd answered: ${printable(bytes.toString('utf8'), EXCERPT_LENGTH_MAX)}`)
  // clamd reports these as FOUND, but they mean that it stopped, not that it found something.
  if (isOfFamily(name, ENCRYPTED)) {
    const detail = `The document, or a part of it, is protected by a password (${name}), and clamd cannot use one.`
    return { kind: 'unscannable', obstacle: 'encrypted', detail }
  }
  if (isOfFamily(name, LIMITED)) {
    const limit = LIMITS.get(name.slice(LIMITED.length + 1)) ?? 'The document exceeds a limit of clamd'
    return { kind: 'unscannable', obstacle: 'too_complex', detail: `${limit} (${name}).` }
  }
  return { kind: 'detected', threat: name, path: [] }
}

/** clamd could not write what it unpacks. It answers OK for some other documents then, as if they had no such parts. */
export function isOutOfSpace(outcome: Outcome): boolean {
  return (
    outcome.kind === 'failed' && /^clamd answered: .*(?:Can't (?:write|create)|Error writing) /.test(outcome.detail)
  )
}

/** The printable name in `stream: <name> FOUND\0`; null for anything else, such as two replies. */
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
