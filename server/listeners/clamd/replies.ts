/** The words of clamd: clients compare them, so that every letter counts. */
import { clamdReply, type Outcome } from '#listeners/outcomes.ts'
import type { Listener } from '#listeners/specification.ts'

/** Clients take a name after the last blank, and some accept no colon in it. */
const NOT_IN_NAMES = /[^A-Za-z0-9._(){}+/-]/g
const NAME_LENGTH_MAX = 180
const UNNAMED = 'Docvet.Threat'

export const PONG = 'PONG'
export const UNAVAILABLE = 'Engine unavailable ERROR'
export const RELOADING = 'RELOADING'
export const COMMAND_UNAVAILABLE = 'COMMAND UNAVAILABLE'
export const UNKNOWN = 'UNKNOWN COMMAND'
export const NO_DESCRIPTOR = 'No file descriptor received. ERROR'
export const NOT_IN_SESSION = 'Command invalid inside IDSESSION. ERROR'
export const TIMED_OUT = 'COMMAND READ TIMED OUT\n'

/** The words that decide a reply, in what others have chosen. */
const withoutWords = (text: string): string =>
  text.replace(/OK|FOUND|ERROR/g, (word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)

/** Moodle sends the document itself after this. Clients that read line by line would take a part of the path for a reply. */
export const pathRefused = (path: string): string =>
  `${withoutWords(path.replace(/[^\x20-\x7e]/g, '_'))}: File path check failure: Permission denied. ERROR`

/** Some clients call a reply clean that contains `OK` and not `FOUND`, so that no name may contain either word. */
export function threatName(threat: string): string {
  const name = threat.replace(NOT_IN_NAMES, '_').slice(0, NAME_LENGTH_MAX)
  return withoutWords(name) || UNNAMED
}

/** Null: the connection is closed without a reply. */
export function streamReply(outcome: Outcome, options: Pick<Listener, 'unscannable' | 'failure'>): string | null {
  const reply = clamdReply(outcome, options)
  switch (reply.kind) {
    case 'ok':
      return 'stream: OK'
    case 'found':
      return `stream: ${threatName(reply.name ?? outcome.threat ?? '')} FOUND`
    case 'error':
      return `${reply.isBare ? '' : 'stream: '}${reply.text} ERROR`
    case 'close':
      return null
  }
}

export const COMMANDS =
  'SCAN QUIT RELOAD PING CONTSCAN VERSIONCOMMANDS VERSION END SHUTDOWN MULTISCAN STATS IDSESSION INSTREAM'

const MEMORY =
  'MEMSTATS: heap N/A mmap N/A used N/A free N/A releasable N/A pools 0 pools_used 0.000M pools_total 0.000M'

interface Tasks {
  /** Seconds since each stream began. */
  running: readonly number[]
  queued: number
  max: number
}

export function statsText({ running, queued, max }: Tasks): string {
  return [
    'POOLS: 1',
    '',
    'STATE: VALID PRIMARY',
    `THREADS: live ${Math.max(1, running.length)}  idle 0 max ${max} idle-timeout 30`,
    `QUEUE: ${queued} items`,
    ...running.map((seconds) => `\tINSTREAM ${seconds.toFixed(2)} `),
    '',
    MEMORY,
    'END',
  ].join('\n')
}
