/** The allow list of an account, and which threats it overrides. */
import type { Static } from 'typebox'
import { AppError, invalidField } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import type { Outcome } from '#engines/engine.ts'
import type { AllowedDocument } from './schema.ts'
import { ALLOWED_MAX, type AllowedStore, type Allowing, type Position } from './store.ts'

/** `own`: findings of the embedded engine, except test files and bombs. `all`: every threat. */
export type AllowListScope = 'own' | 'all' | 'off'

/** As many as an engine reports: others may be missing. */
const FINDINGS_MAX = 100
const LIMIT_DEFAULT = 50
const OWN = /^Docvet\./
/** The EICAR file must show that scanning works, and bombs harm every reader. */
const NEVER = /^Docvet\.(?:Test|Bomb|Unscannable)\./
const CURSOR = /^(\d{1,15})\.([0-9a-f]{64})$/

type Document = Static<typeof AllowedDocument>
type Stored = NonNullable<Awaited<ReturnType<AllowedStore['find']>>>

export type AllowList = ReturnType<typeof createAllowList>

interface Scanned {
  accountId: string
  keyId: string
  requestId: string
  sha256: string
}

interface Options {
  store: AllowedStore
  scope: AllowListScope
  /** The newest scan of the account that found a threat in the document. */
  findThreat: (accountId: string, sha256: string) => Promise<Pick<Allowing, 'scanId' | 'fileName' | 'threat'> | null>
  /** The address of the person or the name of the key. */
  nameOf: (principal: Principal) => Promise<string | null>
  log: Log
}

const shown = ({ createdAt, ...rest }: Stored): Document => ({
  ...rest,
  createdAt: new Date(createdAt).toISOString(),
})

const cursorOf = ({ createdAt, sha256 }: Position): string =>
  Buffer.from(`${createdAt}.${sha256}`).toString('base64url')

function positionOf(cursor: string): Position {
  const [, createdAt, sha256] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (createdAt === undefined || sha256 === undefined)
    throw invalidField('cursor', 'must be the `nextCursor` of an earlier response')
  return { createdAt: Number(createdAt), sha256 }
}

/** Whether every threat that the engine found may be overridden. */
function mayOverride(outcome: Outcome & { kind: 'detected' }, engine: string, scope: AllowListScope): boolean {
  if (scope !== 'own') return scope === 'all'
  const { findings = [] } = outcome
  if (findings.length >= FINDINGS_MAX) return false
  const threats = findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id)
  return engine === 'embedded' && [outcome.threat, ...threats].every((id) => OWN.test(id) && !NEVER.test(id))
}

/** The outcome without its threats, which stay as notices. */
function overridden({ beneath = { kind: 'clean' }, findings = [] }: Outcome & { kind: 'detected' }): Outcome {
  const notices = findings.map((finding) =>
    finding.severity === 'notice'
      ? finding
      : {
          ...finding,
          severity: 'notice' as const,
          detail: ['On the allow list of the account', finding.detail].filter(Boolean).join(': '),
        },
  )
  return { ...beneath, findings: notices }
}

export function createAllowList({ store, scope, findThreat, nameOf, log }: Options) {
  /** False also when the list cannot be read. */
  async function isAllowed({ accountId, requestId, sha256 }: Scanned): Promise<boolean> {
    try {
      return (await store.find(accountId, sha256)) !== undefined
    } catch (error) {
      log.warn({ err: error, requestId }, 'Allow list not consulted; the threat stands')
      return false
    }
  }

  return {
    /** Replaces the outcome of a document on the list. Only threats cost a statement. Obstacles stay, and so do threats of other engines. */
    async review(outcome: Outcome, engine: string, scanned: Scanned): Promise<Outcome> {
      if (outcome.kind !== 'detected' || !mayOverride(outcome, engine, scope)) return outcome
      if (!(await isAllowed(scanned))) return outcome
      log.warn({ ...scanned, engine, threat: outcome.threat }, 'Threat overridden by the allow list')
      return overridden(outcome)
    },

    async list(accountId: string, { limit = LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string }) {
      const rows = await store.list(accountId, limit + 1, cursor === undefined ? undefined : positionOf(cursor))
      const items = rows.slice(0, limit)
      const last = items.at(-1)
      return { items: items.map(shown), nextCursor: rows.length > limit && last ? cursorOf(last) : null }
    },

    async find(accountId: string, sha256: string): Promise<Document> {
      const found = await store.find(accountId, sha256.toLowerCase())
      if (found === undefined) throw notListed()
      return shown(found)
    },

    async put(principal: Principal, givenSha256: string, note = ''): Promise<Document> {
      const { accountId } = principal
      const sha256 = givenSha256.toLowerCase()
      const found = (await findThreat(accountId, sha256)) ?? { scanId: null, fileName: null, threat: null }
      const allowing = { note: note === '' ? null : note, allowedBy: await nameOf(principal), ...found }
      const stored = await store.put(accountId, sha256, allowing)
      if (stored !== null) return shown(stored)
      const max = ALLOWED_MAX.toLocaleString('en-US')
      throw new AppError('allow_list_full', `The allow list has ${max} documents, the most it can have. Remove some.`)
    },

    async delete(accountId: string, sha256: string): Promise<void> {
      if (!(await store.delete(accountId, sha256.toLowerCase()))) throw notListed()
    },
  }
}

function notListed(): AppError {
  return new AppError('not_found', 'The document with this SHA-256 is not on the allow list of your account.')
}
