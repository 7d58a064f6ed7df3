/** Warnings about settings that are valid but probably not intended, and about variables that are not settings. */
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { escapeControls } from '#base/escape-controls.ts'
import { isLoopback } from '#base/loopback.ts'
import { SETTINGS, type Setting, type Values } from './settings.ts'

type CheckedValue =
  | 'fetchBytesMax'
  | 'unscannable'
  | 'smtpUrl'
  | 'mailFrom'
  | 'chatUrl'
  | 'chatModel'
  | 'chatKey'
  | 'databaseUrl'
  | 'secretKey'

interface Checked extends Pick<Values, CheckedValue> {
  publicUrl: string
  isLocal: boolean
  engines: readonly string[]
  clamdUrls: readonly string[]
}

export function valueWarnings(config: Checked): string[] {
  const { publicUrl, isLocal, engines, clamdUrls, smtpUrl, mailFrom, chatUrl, chatModel, chatKey } = config
  const warnings: [applies: boolean, warning: string][] = [
    [
      ['0.0.0.0', '[::]'].includes(new URL(publicUrl).hostname),
      `DOCVET_PUBLIC_URL should be set: clients cannot use ${publicUrl}.`,
    ],
    [
      config.unscannable === 'clean',
      'DOCVET_UNSCANNABLE=clean: documents that cannot be fully scanned will be reported as clean.',
    ],
    [
      clamdUrls.length > 0 && !engines.includes('clamd'),
      'DOCVET_CLAMD_URL is set, but DOCVET_ENGINES does not include clamd: it will not be used.',
    ],
    [
      config.fetchBytesMax > DOCUMENT_BYTES_MAX && engines.includes('clamd'),
      'DOCVET_FETCH_BYTES_MAX: documents above 25 MB will be too complex, because clamd, which must report them as clean too, scans documents of up to 25 MB.',
    ],
    [
      smtpUrl === null && !isLocal,
      'DOCVET_SMTP_URL is not set: mail such as reset links is written to the data folder and not sent.',
    ],
    [
      smtpUrl !== null && mailFrom.address.endsWith('@localhost'),
      `DOCVET_MAIL_FROM should be set: many mail servers reject mail from ${mailFrom.address}.`,
    ],
    [
      config.databaseUrl !== null && config.secretKey === null,
      'DOCVET_SECRET_KEY should be set: with PostgreSQL, replicas with data folders of their own cannot read secrets that others have stored, so that callbacks and scans by URL fail.',
    ],
    [chatUrl === null && chatModel !== null, 'The assistant is not configured: DOCVET_CHAT_URL is missing.'],
    [chatUrl !== null && chatModel === null, 'The assistant is not configured: DOCVET_CHAT_MODEL is missing.'],
    [
      chatKey !== null && chatUrl?.startsWith('http:') === true && !isLoopback(chatUrl),
      'DOCVET_CHAT_URL is not https: DOCVET_CHAT_KEY and all questions are sent unencrypted.',
    ],
  ]
  return warnings.flatMap(([applies, warning]) => (applies ? [warning] : []))
}

const NAME_SHOWN_MAX = 60
/** Clients in the documentation read it, often in the shell that starts the service. */
const OF_CLIENTS = ['DOCVET_KEY']

export function unknownNameWarnings(env: Readonly<Record<string, string | undefined>>): string[] {
  const settings: Setting[] = Object.values(SETTINGS)
  const known = settings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])) as string[]
  return Object.keys(env)
    .filter((name) => name.startsWith('DOCVET_') && env[name] && !known.includes(name) && !OF_CLIENTS.includes(name))
    .sort()
    .map((name) => warningOf(name, known))
}

function warningOf(name: string, known: readonly string[]): string {
  const base = name.replace(/_FILE$/, '')
  if (known.includes(base)) return `${name} has no effect: only secrets can be read from files. Set ${base} instead.`
  const near = nearest(name, known)
  const shown = escapeControls(name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX)}…` : name)
  return near ? `${shown} is not a setting. Did you mean ${near}?` : `${shown} is not a setting and has no effect.`
}

/** The most similar known name, if fewer than about a third of its characters differ. */
function nearest(name: string, known: readonly string[]): string | null {
  const written = name.slice('DOCVET_'.length).toUpperCase()
  let best: { name: string; edits: number } | null = null
  for (const candidate of known) {
    const right = candidate.slice('DOCVET_'.length)
    const editsMax = Math.floor(right.length / 3)
    if (Math.abs(right.length - written.length) > editsMax) continue
    const edits = editDistance(written, right)
    if (edits <= editsMax && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name: candidate, edits }
  }
  return best?.name ?? null
}

/** Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const changed = from[i - 1] === to[j - 1] ? 0 : 1
      const edits = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(swapped ? Math.min(edits, at(i - 2, j - 2) + 1) : edits)
    }
  }
  return at(from.length, to.length)
}
