/** The shape of the database, as the stores see it. Times are milliseconds since 1970, identifiers UUID strings. */

export interface Tables {
  accounts: {
    id: string
    email: string
    /** The address in lower case: what makes an account unique. */
    email_key: string
    plan: string
    created_at: number
  }
  api_keys: {
    id: string
    account_id: string
    name: string
    /** SHA-256 of the whole key, in hex. The key itself is nowhere. */
    hash: string
    prefix: string
    last_four: string
    created_at: number
    revoked_at: number | null
    last_used_at: number | null
  }
  /** One row per key and month. `used` is charged, `reserved` is promised to scans under way. */
  usage_counters: { key_id: string; period: string; used: number; reserved: number }
  /** Who holds the promises: for each counter, `reserved` is the sum of `held` over its leases. */
  usage_leases: { replica_id: string; key_id: string; period: string; held: number }
  /** One row per charged scan: for each counter, `used` is the number of its rows here. */
  usage_ledger: { scan_id: string; key_id: string; period: string; charged_at: number }
  /** Running processes, by their last sign of life. */
  replicas: { id: string; seen_at: number }
  /** One row per delivered verdict. Never anything of the document itself, nor its name. */
  scans: {
    id: string
    key_id: string
    verdict: 'clean' | 'infected'
    threat: string | null
    /** Which engine found the threat, and where inside the document: a JSON array of member names. */
    engine: string | null
    path: string | null
    sha256: string
    size: number
    type: string
    /** JSON: name, version and signatures of every engine that was asked. */
    engines: string
    started_at: number
    finished_at: number
  }
  /** A request under way has neither `sha256` nor `response` yet. */
  idempotency_keys: {
    key_id: string
    /** SHA-256 of what the client sent as Idempotency-Key, in hex. */
    hash: string
    /** Whose claim it is, so that a late finisher cannot settle a claim that was taken over. */
    claim_id: string
    claimed_at: number
    sha256: string | null
    response: string | null
  }
  /** How many questions went to the language model on a UTC day. Nothing of what was asked. */
  chat_days: { day: string; requests: number }
}
