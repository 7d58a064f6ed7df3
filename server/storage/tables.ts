/** The shape of the database, as the stores see it. Times are milliseconds since 1970, identifiers UUID strings. */

export interface Tables {
  accounts: {
    id: string
    email: string
    /** The address in lower case: what makes an account unique. */
    email_key: string
    plan: string
    created_at: number
    /** Argon2id; null until there is a password. */
    password_hash: string | null
    auth_provider: string
    /** JSON: where the person came from, as the sign-up page told. */
    attribution: string | null
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
    /** 1: what sessions of the account scan with. */
    dashboard: number
  }
  sessions: {
    id: string
    account_id: string
    /** SHA-256 of the token in the cookie, in hex. */
    hash: string
    created_at: number
    seen_at: number
  }
  /** Reset links of the last hour. `id` is that of the mail. A link without a hash is spent or void. */
  password_resets: { id: string; account_id: string; hash: string | null; created_at: number }
  /** One row per key and month. `used` is charged, `reserved` is promised to scans under way. */
  usage_counters: { key_id: string; period: string; used: number; reserved: number }
  /** Who holds the promises: for each counter, `reserved` is the sum of `held` over its leases. */
  usage_leases: { replica_id: string; key_id: string; period: string; held: number }
  /** One row per charged scan: for each counter, `used` is the number of its rows here. */
  usage_ledger: { scan_id: string; key_id: string; period: string; charged_at: number }
  /** Which shares of a quota, in percent, the owner of a key was told of. */
  usage_notices: { key_id: string; period: string; share: number }
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
    /** The process that works on it; null in rows older than this column. */
    replica_id: string | null
    claimed_at: number
    sha256: string | null
    response: string | null
  }
  /** Mail that waits to be sent, and for a while mail that could not be. Sent mail leaves nothing here. */
  mail_outbox: {
    id: string
    kind: string
    /** JSON: what the message is made from when it is sent. Never a secret. */
    params: string
    /** While a row with it waits, no second one is written. */
    dedupe: string | null
    created_at: number
    due_at: number
    /** Counted when one begins, so that one that kills its process counts too. */
    attempts: number
    /** Whose turn it is until when, so that a late finisher cannot settle a mail that was taken over. */
    claimed_by: string | null
    claimed_until: number | null
    /** Given up; null while there is hope. */
    failed_at: number | null
    last_error: string | null
  }
  /** Attempts to sign in since the last success, whether or not there is such an account. */
  sign_in_attempts: {
    /** SHA-256 of the address in lower case, in hex. */
    email_hash: string
    count: number
    last_at: number
  }
  /** What was bought in a marketplace. The plan in force is that of the account; it changes together with `status`. */
  subscriptions: {
    id: string
    provider: string
    /** What the marketplace calls it. */
    external_id: string
    account_id: string
    offer_id: string
    plan_id: string
    /** Our plan for this offer and plan, in force while it is Subscribed. */
    plan_key: string
    quantity: number | null
    status: string
    free_trial: number
    auto_renew: number
    term_start: number | null
    term_end: number | null
    beneficiary_email: string | null
    created_at: number
    /** When an activation or an event last changed it: a stale answer does not undo that. */
    settled_at: number | null
    /** The marketplace's own time of the newest event about each that was applied: an older one comes too late. */
    status_event_at: number | null
    plan_event_at: number | null
    quantity_event_at: number | null
    /** Who confirms it with the marketplace just now, until when. */
    activating_by: string | null
    activating_until: number | null
  }
  /** Everything that a marketplace told us by a genuine call, and what was done about it. */
  marketplace_events: {
    id: string
    provider: string
    /** The operation's id once the marketplace has confirmed it; what was not confirmed cannot take that place. */
    dedupe: string
    operation_id: string
    external_id: string
    action: string
    plan_id: string | null
    outcome: string
    received_at: number
  }
  /** Periodic work that one process does for all. */
  marketplace_rounds: {
    name: string
    due_at: number
    held_by: string | null
    held_until: number | null
    /** How far the last one came, when it had to stop. */
    after_id: string | null
  }
  /** The books of the sandbox, which plays the marketplace. `body` is JSON. */
  sandbox_purchases: { id: string; token_hash: string; token_until: number; body: string; created_at: number }
  sandbox_operations: { id: string; purchase_id: string; body: string }
  /** How many questions went to the language model on a UTC day. Nothing of what was asked. */
  chat_days: { day: string; requests: number }
}
