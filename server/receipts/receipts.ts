/** Signed statements about scans: what was scanned, when, by which engines, with which result. */
import { type PublicJwk, publicJwkOf, signBody } from '#base/dsse.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { PAYLOAD_TYPE, STATEMENT_TYPE } from '#base/receipt.ts'
import type { EngineHealth } from '#engines/engine.ts'
import type { ScanFacts } from '#scan/receipt.ts'
import type { SignedReceipt } from '#scan/store.ts'
import type { SigningKey } from './signing-key.ts'
import type { ReceiptStore } from './store.ts'

const FINDINGS_MAX = 20
const SENTENCE =
  'The document was scanned at this time by these engines, with this result. This is not a statement that it is safe.'

interface ReceiptsOptions {
  store: ReceiptStore
  /** Null if receipts are off. */
  signingKey: (() => SigningKey) | null
  /** Without reports, there are no receipts either. */
  keepsReports: boolean
  /** Why there is no key. */
  problem: string | null
  engines: () => readonly EngineHealth[]
  settings: { sensitivity: string; unscannable: string; limits: Readonly<Record<string, number>> }
  service: { version: string; publicUrl: string }
  log: Log
}

export type Receipts = ReturnType<typeof createReceipts>

/** One of the service's pages has the schema of the predicate at this URL. */
const predicateTypeOf = (publicUrl: string): string => `${publicUrl}/receipt/v1`

/** With the name of the file. Both texts are signed, so that only one is stored. */
function withName(payload: string, name: string): string {
  const { subject, ...rest } = JSON.parse(payload) as { subject: [object] }
  return JSON.stringify({ ...rest, subject: [{ name, ...subject[0] }] })
}

const none = (detail: string): AppError => new AppError('not_found', detail)

export function createReceipts(options: ReceiptsOptions) {
  const { store, signingKey, keepsReports, log } = options
  const { publicUrl, version } = options.service
  const predicateType = predicateTypeOf(publicUrl)
  let registered = ''
  let registering = Promise.resolve()

  /** Not awaited by scans. */
  function register({ kid, key }: SigningKey): void {
    if (registered === kid) return
    registered = kid
    registering = store.register(kid, publicJwkOf(key)).then(
      () => {},
      (error) => {
        registered = ''
        log.warn({ err: error, kid }, 'Failed to store the public key of receipts; will retry')
      },
    )
  }
  if (signingKey) register(signingKey())

  function statementOf({ row, isAllowed, isIncomplete }: ScanFacts): object {
    const health = options.engines()
    const [policy, rules] = (['policy', 'rules'] as const).map((name) => health.find((each) => each[name])?.[name])
    const engines = (
      JSON.parse(row.engines) as { name: string; version: string | null; signatures: string | null }[]
    ).map(({ name, version, signatures }) => ({
      ...{ name, version, signatures },
      signaturesAt: health.find((engine) => engine.name === name)?.signaturesAt ?? null,
    }))
    const findings = (JSON.parse(row.findings ?? '[]') as { id: string; severity: string }[]).slice(0, FINDINGS_MAX)
    return {
      _type: STATEMENT_TYPE,
      subject: [{ digest: { sha256: row.sha256 } }],
      predicateType,
      predicate: {
        scanId: row.id,
        verdict: row.verdict === 'refused' ? null : row.verdict,
        threat: row.threat,
        obstacle: row.obstacle,
        scannedAt: new Date(row.finished_at).toISOString(),
        size: row.size,
        detectedType: row.type,
        engines,
        ...{ ...(rules !== undefined && { rules }), ...(policy !== undefined && { policy }) },
        ...options.settings,
        findings: findings.map(({ id, severity }) => ({ id, severity })),
        ...(isAllowed && { allowed: true }),
        ...(isIncomplete && { notFullyScanned: true }),
        service: { name: 'Docvet', version, publicUrl },
        keys: `${publicUrl}/.well-known/jwks.json`,
        statement: SENTENCE,
      },
    }
  }

  return {
    predicateType,
    isOn: signingKey !== null && keepsReports,
    /** For operators: why there are no receipts although there are reports. */
    problem: keepsReports ? options.problem : null,

    /** Null if receipts are off. A failure is logged: it is no reason to withhold a verdict. */
    sign(facts: ScanFacts): SignedReceipt | null {
      if (!signingKey || !keepsReports) return null
      try {
        const current = signingKey()
        register(current)
        const payload = JSON.stringify(statementOf(facts))
        const signed = (text: string) => signBody(PAYLOAD_TYPE, Buffer.from(text), current.key)
        const name = facts.row.file_name
        const named_signature = name === null ? null : signed(withName(payload, name))
        return { kid: current.kid, payload, signature: signed(payload), named_signature }
      } catch (error) {
        log.error({ err: error, scanId: facts.row.id }, 'Failed to sign a receipt')
        return null
      }
    },

    async find(accountId: string, scanId: string, isNamed: boolean) {
      const found = await store.find(accountId, scanId.toLowerCase())
      if (!keepsReports) throw none('This installation keeps no reports of scans, and therefore no receipts.')
      if (!found) throw none('Your account has no scan with this id, or its report has expired.')
      const { payload, kid: keyid, signature, namedSignature, fileName } = found
      if (payload === null || keyid === null || signature === null)
        throw none('This scan has no receipt: it has not ended, was not inspected, or receipts were off.')
      const name = isNamed ? fileName : null
      const sig = name === null ? signature : namedSignature
      if (sig === null) throw none('This receipt was signed without the name of the file. Get it without `name=1`.')
      return {
        payload: Buffer.from(name === null ? payload : withName(payload, name)).toString('base64'),
        payloadType: PAYLOAD_TYPE as typeof PAYLOAD_TYPE,
        signatures: [{ keyid, sig }],
      }
    },

    /** Every public key, the newest first. */
    async keys() {
      await registering
      const stored = (await store.keys()).map(({ kid, jwk, since, until, revokedAt }) => ({
        ...({ ...JSON.parse(jwk), kid, use: 'sig', alg: 'Ed25519' } as PublicJwk & {
          kid: string
          use: 'sig'
          alg: 'Ed25519'
        }),
        since: new Date(since).toISOString(),
        ...(until !== null && { until: new Date(until).toISOString() }),
        ...(revokedAt !== null && { revoked_at: new Date(revokedAt).toISOString() }),
      }))
      return { keys: stored }
    },
  }
}
