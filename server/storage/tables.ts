/** The database schema. Times are milliseconds since 1970, identifiers UUID strings, hashes SHA-256 in hex. */

export interface Tables {
  accounts: {
    id: string
    email: string
    email_key: string
    plan: string
    created_at: number
    /** Argon2id; null until there is a password. */
    password_hash: string | null
    auth_provider: string
    /** JSON: campaign parameters from the sign-up page. */
    attribution: string | null
    /** The first use of a mailed link; null while nobody has proven that the address is theirs. */
    email_proven_at: number | null
    /** When its owner deleted it. Only the ids of the account and its keys remain, for the ledger. */
    erased_at: number | null
    /** While set, its keys, sessions and password do not work. */
    disabled_at: number | null
    /** Since when neither a password nor a provider signs in. */
    passkeys_only_at: number | null
  }
  /** Codes for sign-up by invitation, by their SHA-256. */
  invites: {
    id: string
    hash: string
    created_at: number
    expires_at: number
    used_at: number | null
    /** The account that was created with it. */
    account_id: string | null
  }
  api_keys: {
    id: string
    account_id: string
    name: string
    /** SHA-256 of the key, in hex. The key itself is not stored. */
    hash: string
    prefix: string
    last_four: string
    created_at: number
    revoked_at: number | null
    last_used_at: number | null
    /** 1 for the key that meters scans of dashboard sessions. */
    dashboard: number
    /** The key on whose counter its scans are counted; null for its own. */
    meter_id: string | null
    /** 1 for keys whose scans are not charged. All those of an account are counted on the oldest. */
    test: number
    /** What it may do, separated by spaces; null for everything. */
    scopes: string | null
    expires_at: number | null
    /** Networks from which it is accepted, separated by spaces; null for all. */
    allowed_addresses: string | null
    /** Of the last use; null for keys without any of these limits. */
    last_used_address: string | null
    /** Of an old secret that works until it expires: the key that has a new one, and counts the scans of both. */
    rolled_into: string | null
    /** The member who created its secret; null for the owner. */
    created_by: string | null
  }
  sessions: {
    id: string
    account_id: string
    hash: string
    created_at: number
    seen_at: number
    /** As the browser reported it at sign-in; null in rows older than this column. */
    user_agent: string | null
    /** The kind of provider that its owner signed in with; null for a password. */
    provider: string | null
    /** When the provider has asked its owner to sign in there again. */
    confirmed_at: number | null
    /** The account of another in which its owner works; null for the own one. */
    acting_account_id: string | null
  }
  /** People who work in the account of another. */
  members: {
    account_id: string
    member_account_id: string
    /** `admin`, `member` or `viewer`. */
    role: string
    /** Null for a person whom a provider of sign-in or the operator added. */
    invited_by: string | null
    created_at: number
    /** It has no rights any more, and is not added again by a provider of sign-in. */
    removed_at: number | null
    /** Until when it can become the owner of the account. */
    offer_expires_at: number | null
  }
  /** Invitations of the last week. */
  member_invitations: {
    id: string
    account_id: string
    email: string
    email_key: string
    role: string
    invited_by: string
    /** Of the token in the newest mail; null until it is sent. */
    hash: string | null
    created_at: number
    expires_at: number
    /** When it was accepted, revoked or replaced. */
    ended_at: number | null
  }
  /** Who the owner of an account is at a provider of sign-in. */
  identities: {
    id: string
    account_id: string
    /** The id of the provider in the settings. */
    provider: string
    issuer: string
    subject: string
    created_at: number
    used_at: number
    /** It no longer signs in, and is not added again by its address. */
    removed_at: number | null
  }
  passkeys: {
    id: string
    account_id: string
    /** As the authenticator names it, in base64url. */
    credential_id: string
    /** COSE, in base64url. */
    public_key: string
    /** Names the owner to the authenticator: random, so that it says nothing about the account. */
    handle: string
    /** Of signatures; 0 if the authenticator does not count. */
    counter: number
    /** Separated by spaces. */
    transports: string
    /** 1 if it is copied to other devices of its owner. */
    backed_up: number
    name: string
    created_at: number
    used_at: number | null
  }
  /** Unused ones, by their SHA-256. */
  recovery_codes: { hash: string; account_id: string; created_at: number }
  /** Challenges of passkeys that were answered in the last minutes, by their SHA-256. */
  spent_challenges: { hash: string; spent_at: number }
  /** Reset links of the last hour. `id` is that of the mail. A link without a hash is used or revoked. */
  password_resets: { id: string; account_id: string; hash: string | null; created_at: number }
  /** One row per key and month: charged scans, and those in progress. */
  usage_counters: {
    key_id: string
    period: string
    used: number
    reserved: number
    /** JSON: charged scans by day of the month, such as `{"07":3}`. Their sum is `used`. */
    days: string | null
  }
  /** Reservations by replica: for each counter, `reserved` is the sum of `held`. */
  usage_leases: { replica_id: string; key_id: string; period: string; held: number }
  /** One row per charged scan: for each counter, `used` is the number of rows. */
  usage_ledger: { scan_id: string; key_id: string; period: string; charged_at: number }
  usage_notices: { key_id: string; period: string; share: number }
  replicas: { id: string; seen_at: number }
  /** Keys for stored secrets, and when a process last had each of them. */
  secret_keys: { name: string; seen_at: number }
  /** One row per delivered verdict and per document refused with 422, without content of the document. */
  scans: {
    id: string
    key_id: string
    /** Columns that may be null without a comment are null in rows older than them. */
    account_id: string | null
    verdict: 'clean' | 'infected' | 'refused'
    /** Why a document was refused. The last three were not inspected. */
    obstacle: 'encrypted' | 'too_complex' | 'damaged' | 'unsupported' | 'empty' | 'too_large' | null
    /** As in the response to the client. */
    file_name: string | null
    /** As reported by the client; null if it reported none. */
    content_type: string | null
    threat: string | null
    engine: string | null
    path: string | null
    /** Empty if the document was refused before it was read, like its type. */
    sha256: string
    /** The length of the request if the document was refused before it was read. */
    size: number
    type: string
    /** JSON: name, version and signatures of every engine, and its time. */
    engines: string
    /** JSON; null without findings, and in rows older than this column. */
    findings: string | null
    started_at: number
    finished_at: number
    /** Null if its verdict or obstacle is final; a scan without one is `refused` in the column above. */
    state: 'queued' | 'running' | 'failed' | null
    /** The code of the problem of a failed scan, and what its owner may read about it. */
    problem: string | null
    problem_detail: string | null
    /** Of the client. */
    reference: string | null
    /** Of a scan without a verdict, as long as its process renews it, or its job waits. */
    lease_until: number | null
  }
  /** Scans without a verdict whose document is fetched by a job. */
  scan_requests: {
    scan_id: string
    /** That of the job. */
    kind: string
    /** The URL to fetch, encrypted. */
    sealed: string
    /** Of the reserved unit; both are null without one. */
    meter_id: string | null
    period: string | null
  }
  /** Signed statements about scans, which are deleted with their report. */
  scan_receipts: {
    scan_id: string
    /** Of the key that signed. */
    kid: string
    /** The signed JSON. */
    payload: string
    /** In Base64. */
    signature: string
    /** Of the same statement with the name of the file. */
    named_signature: string | null
  }
  /** Public keys of receipts. */
  receipt_keys: {
    kid: string
    /** JSON. */
    jwk: string
    since: number
    /** When it was replaced. */
    until: number | null
    /** From when on it is not to be trusted. */
    revoked_at: number | null
  }
  /** Documents that ended workers within the last hour. */
  worker_endings: { sha256: string; endings: number; ended_at: number }
  /** The allow lists of accounts. */
  allowed_documents: {
    account_id: string
    sha256: string
    note: string | null
    created_at: number
    /** Of the newest scan that found a threat in it, when it was allowed; null without one. */
    scan_id: string | null
    file_name: string | null
    threat: string | null
    /** The address of the person or the name of the key. */
    allowed_by: string | null
  }
  /** Mail about infected documents, for an account or the `operator`. */
  alerts: {
    account_id: string
    /** 1 if it is wanted. */
    mail: number
    /** The first document of the newest mail, and how many it reports. */
    since: number
    found: number
    /** Of that mail. */
    due_at: number
  }
  /** Where an account wants to be called when its asynchronous scans have ended. */
  object_scans: {
    scan_id: string
    source: string
    identity: string | null
    listing_id: string | null
    /** Hash of its name. Null before it was stored. */
    object: string | null
    etag: string | null
    fault: string | null
    created_at: number
  }
  object_listings: {
    id: string
    source: string
    prefix: string
    /** Objects that did not change since then are left out. */
    since: number
    /** Null before the first page, and after the last one. */
    cursor: string | null
    is_listed: number
    listed: number
    queued: number
    created_at: number
  }
  object_counts: {
    listing_id: string
    shard: string
    outcome: string
    count: number
  }
  webhook_endpoints: {
    id: string
    account_id: string
    /** Encrypted, because its query may be a secret. */
    url: string
    /** Without the query. */
    shown_url: string
    /** JSON. */
    events: string
    description: string | null
    /** The signing secrets, encrypted. */
    keys: string
    /** Those before the rotation, which sign too until `old_keys_until`. */
    old_keys: string | null
    old_keys_until: number | null
    public_key: string
    created_at: number
    disabled_at: number | null
    /** `owner`, `gone` or `failing`. */
    disabled_by: string | null
    /** The first failure since the last delivery. */
    failing_since: number | null
  }
  /** Callbacks of the last week; waiting ones have a job. */
  webhook_deliveries: {
    id: string
    endpoint_id: string
    event: string
    /** As it is sent. */
    body: string
    state: 'waiting' | 'delivered' | 'failed'
    created_at: number
    /** Of the last attempt. */
    attempts: number
    attempted_at: number | null
    status: number | null
    duration_ms: number | null
    error: string | null
  }
  /** A request in progress has neither `sha256` nor `response`. */
  idempotency_keys: {
    key_id: string
    hash: string
    /** Prevents a late request from settling a claim that was taken over. */
    claim_id: string
    /** The process of the request; null in rows older than this column. */
    replica_id: string | null
    claimed_at: number
    /** Of the document, or of the URL that stands for it. */
    sha256: string | null
    response: string | null
    /** With a URL: of the document. */
    document: string | null
  }
  /** Work that outlives its request, and for a while work that failed. Done work is deleted. Empty on PostgreSQL; see `job-engine.ts`. */
  jobs: {
    id: string
    kind: string
    /** JSON, without secrets. */
    data: string
    /** While a job of the kind with it waits or runs, no second one is inserted. */
    job_key: string | null
    job_group: string | null
    created_at: number
    due_at: number
    /** Counted at the start, so that an attempt that crashes its process counts too. */
    attempts: number
    /** Prevents a late process from settling a job that was taken over. */
    claimed_by: string | null
    claimed_until: number | null
    failed_at: number | null
    last_error: string | null
  }
  /** Mail that was queued by a version without jobs; new processes turn it into jobs. */
  mail_outbox: {
    id: string
    kind: string
    params: string
    /** While a row with it is queued, no second one is inserted. */
    dedupe: string | null
    created_at: number
    due_at: number
    /** Counted at the start, so that an attempt that crashes its process counts too. */
    attempts: number
    /** Prevents a late process from settling mail that was taken over. */
    claimed_by: string | null
    claimed_until: number | null
    failed_at: number | null
    last_error: string | null
  }
  /** Sign-in attempts since the last success, whether or not the account exists. */
  sign_in_attempts: {
    email_hash: string
    count: number
    last_at: number
  }
  /** Marketplace purchases. The plan in force is that of the account, which changes together with `status`. */
  subscriptions: {
    id: string
    provider: string
    external_id: string
    account_id: string
    offer_id: string
    plan_id: string
    /** Our plan for this offer and plan, in force while Subscribed. */
    plan_key: string
    quantity: number | null
    status: string
    free_trial: number
    auto_renew: number
    term_start: number | null
    term_end: number | null
    beneficiary_email: string | null
    created_at: number
    /** The last change by an activation or event: a stale response does not revert it. */
    settled_at: number | null
    /** Marketplace times of the newest applied events: older events are ignored. */
    status_event_at: number | null
    plan_event_at: number | null
    quantity_event_at: number | null
    /** The request that is activating it, and its deadline. */
    activating_by: string | null
    activating_until: number | null
    /** When to compare it with the marketplace, apart from the reconciliation of all. */
    recheck_at: number | null
  }
  /** Every authentic webhook call, and its outcome. */
  marketplace_events: {
    id: string
    provider: string
    /** The operation id once the marketplace has confirmed it, so that an unconfirmed event cannot take its place. */
    dedupe: string
    operation_id: string
    external_id: string
    action: string
    plan_id: string | null
    outcome: string
    received_at: number
    /** Accept or refuse: our answer that the marketplace does not have yet. */
    answer: string | null
    /** When to send the answer next. */
    answer_at: number | null
    answer_attempts: number
  }
  marketplace_rounds: {
    name: string
    due_at: number
    held_by: string | null
    held_until: number | null
    after_id: string | null
  }
  /** Data of the sandbox marketplace. `body` is JSON. */
  sandbox_purchases: { id: string; token_hash: string; token_until: number; body: string; created_at: number }
  sandbox_operations: { id: string; purchase_id: string; body: string }
  /** Questions sent to the language model per UTC day, without their text. */
  chat_days: { day: string; requests: number }
  /** Append-only. `hash` covers the row and the hash of the row before it; see `audit.ts`. */
  audit_log: {
    seq: number
    at: number
    /** `owner`, `member:` and the id of the person, `marketplace`, `system`, or `admin:` and the operator's user name. */
    actor: string
    event: string
    account_id: string | null
    /** The id of the key, session, subscription, invite or mail. */
    subject: string | null
    /** JSON, without personal data. */
    details: string | null
    hash: string
  }
  /** One row: the newest entry of the audit log, and the newest that retention has deleted. */
  audit_head: { id: number; seq: number; hash: string; deleted_seq: number; deleted_hash: string }
}
