/** Types of the API. Generated from openapi.json by `npm run generate`; manual changes are overwritten. */

export interface ScanForm {
  file: string
  password?: string
  reference?: string
}

export type ScanStatus = 'clean' | 'infected'

export type HidingReason = 'render-mode' | 'colour' | 'size' | 'off-page' | 'transparent' | 'covered' | 'layer' | 'vanish' | 'hidden-sheet' | 'hidden-slide' | 'metadata' | 'alt' | 'comment' | 'markup' | 'unicode' | 'font'

export interface HiddenSpan {
  reason: HidingReason
  location: string
  text: string
  truncated: boolean
}

export interface HiddenText {
  count: number
  spans: readonly (HiddenSpan)[]
}

export interface ScanResult {
  scanId: string
  status: ScanStatus
  threat: string | null
  fileName: string
  fileSize: number
  contentType: string | null
  scannedAt: string
  reference?: string
  hiddenText?: HiddenText
}

export type AcceptedState = 'queued'

export interface AcceptedScan {
  scanId: string
  state: AcceptedState
  reference?: string
}

export interface TextPage {
  n: number
  text: string
}

export interface OmittedText {
  reason: HidingReason
  count: number
}

export interface VisibleText {
  scanId: string
  pages: readonly (TextPage)[]
  omitted: readonly (OmittedText)[]
  unread: readonly (string)[]
}

export interface ScanUrlRequest {
  url: string
  fileName?: string
  password?: string
  reference?: string
}

export type ScanState = 'queued' | 'running' | 'done' | 'refused' | 'failed'

export interface ScanProblem {
  code: string
  status: number
  title: string
  detail: string | null
}

export type ScanObstacle = 'encrypted' | 'too_complex' | 'damaged' | 'unsupported' | 'empty' | 'too_large'

export interface ReportEngine {
  name: string
  version: string | null
  signatures: string | null
  ms: number | null
}

export type FindingSeverity = 'malicious' | 'suspicious' | 'notice'

export interface ReportFinding {
  id: string
  severity: FindingSeverity
  title: string
  reason: string
  effect: string | null
  technique: string | null
  path: readonly (string)[]
  detail: string | null
  engine: string | null
  article: string | null
}

export interface ScanReport {
  scanId: string
  status: ScanStatus | null
  state: ScanState
  problem: ScanProblem | null
  reference: string | null
  threat: string | null
  fileName: string | null
  fileSize: number
  contentType: string | null
  scannedAt: string
  obstacle: ScanObstacle | null
  keyId: string
  sha256: string | null
  detectedType: string | null
  durationMs: number
  engines: readonly (ReportEngine)[]
  findings: readonly (ReportFinding)[]
}

export interface ScanList {
  items: readonly (ScanReport)[]
  nextCursor: string | null
}

export interface Receipt {
  payload: string
  payloadType: 'application/vnd.in-toto+json'
  signatures: readonly ({
  keyid: string
  sig: string
})[]
}

export interface ReceiptKeys {
  keys: readonly ({
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'Ed25519'
  since?: string
  until?: string
  revoked_at?: string
})[]
}

export interface FindingArticle {
  id: string
  severity: FindingSeverity
  title: string
  reason: string
  effect: string | null
  technique: string | null
  danger: string
  cause: string | null
  advice: string
  url: string
}

export interface FindingList {
  items: readonly (FindingArticle)[]
}

export interface AllowedDocument {
  sha256: string
  note: string | null
  createdAt: string
  allowedBy: string | null
  scanId: string | null
  fileName: string | null
  threat: string | null
}

export interface AllowedList {
  items: readonly (AllowedDocument)[]
  nextCursor: string | null
}

export interface AllowRequest {
  note?: string
}

export type ScanEvent = 'scan.completed' | 'scan.failed' | 'scan.infected'

export type EndpointDisabledBy = 'owner' | 'gone' | 'failing'

export interface CallbackEndpoint {
  id: string
  url: string
  events: readonly (ScanEvent)[]
  description: string | null
  publicKey: string
  enabled: boolean
  disabledBy: EndpointDisabledBy | null
  failingSince: string | null
  createdAt: string
}

export interface CallbackEndpointList {
  items: readonly (CallbackEndpoint)[]
}

export interface CreateEndpointRequest {
  url: string
  events?: readonly (ScanEvent)[]
  description?: string
}

export interface CallbackEndpointWithSecret {
  id: string
  url: string
  events: readonly (ScanEvent)[]
  description: string | null
  publicKey: string
  enabled: boolean
  disabledBy: EndpointDisabledBy | null
  failingSince: string | null
  createdAt: string
  secret: string
}

export interface ChangeEndpointRequest {
  url?: string
  events?: readonly (ScanEvent)[]
  description?: string
  enabled?: boolean
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

export interface Delivery {
  id: string
  event: string
  state: DeliveryState
  createdAt: string
  attempts: number
  attemptedAt: string | null
  status: number | null
  durationMs: number | null
  error: string | null
  body: string
}

export interface DeliveryList {
  items: readonly (Delivery)[]
}

export interface AlertSettings {
  mail: boolean
}

export interface ChangeAlertsRequest {
  mail: boolean
}

export type ObjectEvents = Readonly<Record<string, unknown>> | readonly (Readonly<Record<string, unknown>>)[]

export interface IgnoredEvent {
  reason: string
  bucket: string | null
  key: string | null
}

export interface IgnoredEvents {
  scanIds?: readonly (string)[]
  ignored?: readonly (IgnoredEvent)[]
  validationResponse?: string
}

export interface QueuedEvents {
  scanIds: readonly (string)[]
  ignored: readonly (IgnoredEvent)[]
}

export interface SignupRequest {
  email: string
  inviteCode?: string
}

export interface SignupResponse {
  accountId: string
  email: string
  plan: string
  apiKey: string
  keyPrefix: string
}

export interface AttributionPayload {
  utmSource?: string
  utmMedium?: string
  utmCampaign?: string
  utmTerm?: string
  utmContent?: string
  referrer?: string
  landingPath?: string
}

export interface SignupPasswordRequest {
  email: string
  password: string
  attribution?: AttributionPayload
  inviteCode?: string
}

export interface ActingAs {
  accountId: string
  role: 'viewer' | 'member' | 'admin'
  email: string
}

export interface MeResponse {
  email: string
  plan: string
  authProvider: string
  actingAs?: ActingAs
  operator?: boolean
}

export interface LoginRequest {
  email: string
  password: string
}

export interface ChangePasswordRequest {
  currentPassword: string
  newPassword: string
  revokeKeys?: boolean
}

export interface ForgotPasswordRequest {
  email: string
}

export interface ResetPasswordRequest {
  token: string
  password: string
  revokeKeys?: boolean
}

export interface SignInProvider {
  id: string
  name: string
}

export interface SignInProviderList {
  items: readonly (SignInProvider)[]
  passwords: boolean
}

export interface StartSignInRequest {
  returnTo?: string
  inviteCode?: string
}

export interface StartSignInResponse {
  url: string
}

export interface LinkSignInRequest {
  returnTo?: string
  password?: string
}

export interface ConfirmSignInRequest {
  returnTo?: string
}

export interface SignInIdentity {
  id: string
  provider: string
  name: string
  createdAt: string
  lastUsedAt: string
}

export interface SignInIdentityList {
  hasPassword: boolean
  items: readonly (SignInIdentity)[]
}

export interface RemoveIdentityRequest {
  password?: string
}

export interface UndoIdentityRequest {
  token: string
}

export interface WebAuthnOptions {
}

export interface PasskeyOptions {
  state: string
  options: WebAuthnOptions
}

export interface PasskeyCredential {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle: string
}

export interface PasskeySignInRequest {
  state: string
  credential: PasskeyCredential
}

export interface RecoverRequest {
  email: string
  code: string
}

export interface PasskeyView {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  isBackedUp: boolean
}

export interface PasskeyList {
  items: readonly (PasskeyView)[]
  only: boolean
  recoveryCodesLeft: number
}

export interface StartPasskeyRequest {
  password?: string
}

export interface NewPasskeyCredential {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: readonly (string)[]
}

export interface AddPasskeyRequest {
  state: string
  credential: NewPasskeyCredential
  name: string
}

export interface RenamePasskeyRequest {
  name: string
}

export interface RemovePasskeyRequest {
  password?: string
}

export interface PasskeysOnlyRequest {
  only: boolean
  password?: string
}

export interface RecoveryCodes {
  recoveryCodes: readonly (string)[]
}

export interface SessionView {
  id: string
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
  current: boolean
}

export interface SessionList {
  items: readonly (SessionView)[]
}

export interface DeleteMeRequest {
  password?: string
}

export interface Member {
  id: string
  email: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
  createdAt: string
  offerExpiresAt?: string
}

export interface MemberList {
  items: readonly (Member)[]
}

export interface ChangeMemberRequest {
  role: 'viewer' | 'member' | 'admin'
  keepKeys?: boolean
}

export interface RemoveMemberRequest {
  keepKeys?: boolean
}

export interface Invitation {
  id: string
  email: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
  createdAt: string
  expiresAt: string
}

export interface InvitationList {
  items: readonly (Invitation)[]
}

export interface InviteRequest {
  email: string
  role: 'viewer' | 'member' | 'admin'
}

export interface OfferOwnershipRequest {
  password?: string
}

export interface OwnershipOffer {
  offerExpiresAt: string
}

export interface AcceptOwnershipRequest {
  password?: string
}

export interface AcceptInvitationRequest {
  token: string
}

export interface JoinedAccount {
  accountId: string
  email: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
}

export interface AccountChoice {
  accountId: string
  email: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
  current: boolean
  offerExpiresAt?: string
}

export interface AccountChoiceList {
  items: readonly (AccountChoice)[]
}

export interface EnterAccountRequest {
  accountId: string
}

export interface OperatorOption {
  name: string
  meaning: string
}

export interface OperatorCommand {
  name: string
  summary: string
  args: readonly (string)[]
  options: readonly (OperatorOption)[]
}

export interface OperatorCommandList {
  items: readonly (OperatorCommand)[]
}

export type OperatorOptions = Readonly<Record<string, unknown>>

export interface RunCommandRequest {
  command: string
  args?: readonly (string)[]
  options?: OperatorOptions
}

export interface CommandResult {
  data: unknown
  message: string | null
  note: string | null
}

export interface ApiKeySummary {
  id: string
  name: string
  keyPrefix: string
  lastFour: string
  status: 'active' | 'revoked' | 'expired'
  createdAt: string
  lastUsedAt: string | null
  dashboard?: true
  test?: true
  scopes?: readonly ('scan' | 'read' | 'manage')[]
  expiresAt?: string
  allowedAddresses?: readonly (string)[]
  lastUsedAddress?: string
  rolledInto?: string
  createdBy?: string
}

export interface CreateKeyRequest {
  name?: string
  test?: boolean
  scopes?: readonly ('scan' | 'read' | 'manage')[]
  expiresAt?: string
  allowedAddresses?: readonly (string)[]
}

export interface CreatedApiKey {
  id: string
  name: string
  apiKey: string
  keyPrefix: string
}

export interface RollKeyRequest {
  graceSeconds?: number
}

export interface Usage {
  plan: string
  period: string
  scansUsed: number
  scansQuota: number
  scansRemaining: number
}

export interface DayUsage {
  date: string
  scansUsed: number
}

export interface KeyMonth {
  id: string
  name: string
  keyPrefix: string
  lastFour: string
  status: 'active' | 'revoked' | 'expired'
  scansUsed: number
  scansByDay: readonly (number)[]
}

export interface MonthUsage {
  period: string
  scansUsed: number
  days: readonly (DayUsage)[]
  keys: readonly (KeyMonth)[]
}

export interface ResolveRequest {
  token: string
}

export interface SubscriptionView {
  subscriptionId: string
  offerId: string
  marketplacePlanId: string
  planKey: string
  status: 'PendingFulfillmentStart' | 'Subscribed' | 'Suspended' | 'Unsubscribed'
  freeTrial: boolean
  autoRenew: boolean
  termStart: string | null
  termEnd: string | null
  beneficiaryEmail: string | null
}

export interface ActivateRequest {
  subscriptionId: string
}

export interface SubscriptionItem {
  subscriptionId: string
  offerId: string
  marketplacePlanId: string
  planKey: string
  status: 'PendingFulfillmentStart' | 'Subscribed' | 'Suspended' | 'Unsubscribed'
  freeTrial: boolean
  autoRenew: boolean
  termStart: string | null
  termEnd: string | null
  beneficiaryEmail: string | null
  quantity: number | null
}

export interface SubscriptionList {
  items: readonly (SubscriptionItem)[]
}

export interface WebhookCall {
  id?: unknown
  subscriptionId?: unknown
  action?: unknown
  planId?: unknown
}

export interface WebhookResult {
  outcome: 'applied' | 'unchanged' | 'superseded' | 'refused' | 'unmapped' | 'void' | 'repeated' | 'unconfirmed' | 'unknown_action' | 'unknown_subscription'
}

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  messages: readonly (ChatMessage)[]
}

export interface ChatReply {
  reply: string
  model: string
}

export interface ChatSuggestion {
  id: string
  question: string
  answer: string
}

export interface ChatHealth {
  status: 'UP' | 'DOWN'
  configured: boolean
  enabled: boolean
  model: string | null
}

export type HealthStatus = 'UP' | 'DOWN'

export interface EngineHealth {
  name: string
  status: HealthStatus
  version: string | null
  signatures: string | null
  signaturesAt: string | null
  detail: string | null
}

export interface ListenerHealth {
  protocol: string
  status: HealthStatus
  detail: string | null
}

export interface UpdatesHealth {
  channel: string | null
  version: number | null
  publishedAt: string | null
  rulesAgeHours: number | null
}

export interface Health {
  status: HealthStatus
  engine: HealthStatus
  detail?: string
  engines: readonly (EngineHealth)[]
  listeners?: readonly (ListenerHealth)[]
  receipts?: string
  secretKey?: string
  policy?: string
  updates?: UpdatesHealth
}

export interface Readiness {
  status: HealthStatus
  storage: HealthStatus
  engine: HealthStatus
  detail?: string
}

export interface Liveness {
  status: 'UP'
}

export type ErrorCode = 'invalid_request' | 'missing_file' | 'empty_file' | 'too_many_files' | 'malformed_multipart' | 'invalid_url' | 'invalid_token' | 'invalid_invitation' | 'unauthenticated' | 'invalid_credentials' | 'quota_exhausted' | 'cross_site' | 'key_scope' | 'role_forbidden' | 'email_unverified' | 'invitation_mismatch' | 'url_not_allowed' | 'signup_closed' | 'invite_required' | 'subscription_suspended' | 'not_found' | 'no_live_subscription' | 'method_not_allowed' | 'request_timeout' | 'email_taken' | 'key_limit_reached' | 'member_limit_reached' | 'account_has_members' | 'account_in_use' | 'allow_list_full' | 'webhook_limit_reached' | 'passkey_limit_reached' | 'last_sign_in' | 'subscription_conflict' | 'request_in_progress' | 'body_too_large' | 'file_too_large' | 'unsupported_content_type' | 'expectation_failed' | 'encrypted_document' | 'document_too_complex' | 'damaged_document' | 'infected_document' | 'idempotency_key_reused' | 'fetch_failed' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'upstream_error' | 'storage_unavailable' | 'engine_unavailable' | 'scan_lost' | 'scan_timeout' | 'service_unavailable' | 'marketplace_unavailable' | 'busy' | 'invalid_conversation' | 'sign_in_unavailable' | 'chat_unavailable'

export interface Problem {
  type: string
  title: string
  status: 400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 417 | 422 | 424 | 429 | 431 | 500 | 502 | 503
  detail: string
  code: ErrorCode
  requestId: string
  errors?: readonly (FieldError)[]
}

export interface FieldError {
  field: string
  message: string
}

export interface Operations {
  'POST /api/v1/scan': {
    query?: { include?: 'hiddenText' }
    response: ScanResult
  }
  'POST /api/v1/text': {
    response: VisibleText
  }
  'POST /api/v1/scans': {
    body: ScanUrlRequest
    response: ScanResult
  }
  'GET /api/v1/scans': {
    query?: { limit?: number; cursor?: string; status?: 'clean' | 'infected' | 'refused'; state?: 'queued' | 'running' | 'done' | 'refused' | 'failed'; keyId?: string; from?: string; to?: string; threat?: string; name?: string; sha256?: string }
    response: ScanList
  }
  'GET /api/v1/scans/{scanId}': {
    path: { scanId: string }
    response: ScanReport
  }
  'GET /api/v1/events': {
    query?: { format?: 'ocsf'; cursor?: string; from?: string; limit?: number; names?: 'on' | 'off' }
    response: undefined
  }
  'POST /api/v1/events': {
    body: ObjectEvents
    response: IgnoredEvents
  }
  'GET /api/v1/scans/{scanId}/receipt': {
    path: { scanId: string }
    query?: { name?: '0' | '1' }
    response: Receipt
  }
  'GET /.well-known/jwks.json': {
    response: undefined
  }
  'GET /api/v1/findings': {
    response: FindingList
  }
  'GET /api/v1/findings/{id}': {
    path: { id: string }
    response: FindingArticle
  }
  'GET /api/v1/allowed': {
    query?: { limit?: number; cursor?: string }
    response: AllowedList
  }
  'GET /api/v1/allowed/{sha256}': {
    path: { sha256: string }
    response: AllowedDocument
  }
  'PUT /api/v1/allowed/{sha256}': {
    path: { sha256: string }
    body?: AllowRequest
    response: AllowedDocument
  }
  'DELETE /api/v1/allowed/{sha256}': {
    path: { sha256: string }
    response: undefined
  }
  'GET /api/v1/webhooks': {
    response: CallbackEndpointList
  }
  'POST /api/v1/webhooks': {
    body: CreateEndpointRequest
    response: CallbackEndpointWithSecret
  }
  'GET /api/v1/webhooks/{id}': {
    path: { id: string }
    response: CallbackEndpoint
  }
  'PATCH /api/v1/webhooks/{id}': {
    path: { id: string }
    body: ChangeEndpointRequest
    response: CallbackEndpoint
  }
  'DELETE /api/v1/webhooks/{id}': {
    path: { id: string }
    response: undefined
  }
  'POST /api/v1/webhooks/{id}/rotate': {
    path: { id: string }
    response: CallbackEndpointWithSecret
  }
  'POST /api/v1/webhooks/{id}/test': {
    path: { id: string }
    response: Delivery
  }
  'GET /api/v1/webhooks/{id}/deliveries': {
    path: { id: string }
    response: DeliveryList
  }
  'POST /api/v1/deliveries/{deliveryId}/retry': {
    path: { deliveryId: string }
    response: Delivery
  }
  'GET /api/v1/alerts': {
    response: AlertSettings
  }
  'PUT /api/v1/alerts': {
    body: ChangeAlertsRequest
    response: AlertSettings
  }
  'POST /api/v1/signup': {
    body: SignupRequest
    response: SignupResponse
  }
  'POST /api/v1/auth/signup': {
    body: SignupPasswordRequest
    response: MeResponse
  }
  'POST /api/v1/auth/login': {
    body: LoginRequest
    response: MeResponse
  }
  'POST /api/v1/auth/change-password': {
    body: ChangePasswordRequest
    response: undefined
  }
  'POST /api/v1/auth/forgot-password': {
    body: ForgotPasswordRequest
    response: undefined
  }
  'POST /api/v1/auth/reset-password': {
    body: ResetPasswordRequest
    response: undefined
  }
  'POST /api/v1/auth/logout': {
    response: undefined
  }
  'GET /api/v1/auth/me': {
    response: MeResponse
  }
  'DELETE /api/v1/auth/me': {
    body?: DeleteMeRequest
    response: undefined
  }
  'GET /api/v1/auth/oidc': {
    response: SignInProviderList
  }
  'GET /api/v1/auth/oidc/{provider}/start': {
    path: { provider: string }
    query?: { returnTo?: string }
    response: undefined
  }
  'POST /api/v1/auth/oidc/{provider}/start': {
    path: { provider: string }
    body: StartSignInRequest
    response: StartSignInResponse
  }
  'POST /api/v1/auth/oidc/{provider}/link': {
    path: { provider: string }
    body: LinkSignInRequest
    response: StartSignInResponse
  }
  'POST /api/v1/auth/oidc/{provider}/confirm': {
    path: { provider: string }
    body: ConfirmSignInRequest
    response: StartSignInResponse
  }
  'GET /api/v1/auth/oidc/{provider}/callback': {
    path: { provider: string }
    response: undefined
  }
  'GET /api/v1/auth/identities': {
    response: SignInIdentityList
  }
  'DELETE /api/v1/auth/identities/{identityId}': {
    path: { identityId: string }
    body?: RemoveIdentityRequest
    response: undefined
  }
  'POST /api/v1/auth/undo-identity': {
    body: UndoIdentityRequest
    response: undefined
  }
  'POST /api/v1/auth/passkeys/sign-in-options': {
    response: PasskeyOptions
  }
  'POST /api/v1/auth/passkeys/sign-in': {
    body: PasskeySignInRequest
    response: undefined
  }
  'POST /api/v1/auth/passkeys/confirm': {
    body: PasskeySignInRequest
    response: undefined
  }
  'POST /api/v1/auth/passkeys/recover': {
    body: RecoverRequest
    response: undefined
  }
  'GET /api/v1/auth/passkeys': {
    response: PasskeyList
  }
  'POST /api/v1/auth/passkeys': {
    body: AddPasskeyRequest
    response: PasskeyView
  }
  'POST /api/v1/auth/passkeys/options': {
    body?: StartPasskeyRequest
    response: PasskeyOptions
  }
  'PATCH /api/v1/auth/passkeys/items/{passkeyId}': {
    path: { passkeyId: string }
    body: RenamePasskeyRequest
    response: undefined
  }
  'DELETE /api/v1/auth/passkeys/items/{passkeyId}': {
    path: { passkeyId: string }
    body?: RemovePasskeyRequest
    response: undefined
  }
  'POST /api/v1/auth/passkeys/only': {
    body: PasskeysOnlyRequest
    response: RecoveryCodes
  }
  'GET /api/v1/auth/sessions': {
    response: SessionList
  }
  'DELETE /api/v1/auth/sessions': {
    response: undefined
  }
  'DELETE /api/v1/auth/sessions/{id}': {
    path: { id: string }
    response: undefined
  }
  'GET /api/v1/members': {
    response: MemberList
  }
  'PATCH /api/v1/members/{memberId}': {
    path: { memberId: string }
    body: ChangeMemberRequest
    response: undefined
  }
  'DELETE /api/v1/members/{memberId}': {
    path: { memberId: string }
    body?: RemoveMemberRequest
    response: undefined
  }
  'GET /api/v1/invitations': {
    response: InvitationList
  }
  'POST /api/v1/invitations': {
    body: InviteRequest
    response: Invitation
  }
  'DELETE /api/v1/invitations/{invitationId}': {
    path: { invitationId: string }
    response: undefined
  }
  'POST /api/v1/members/{memberId}/transfer': {
    path: { memberId: string }
    body?: OfferOwnershipRequest
    response: OwnershipOffer
  }
  'DELETE /api/v1/members/{memberId}/transfer': {
    path: { memberId: string }
    response: undefined
  }
  'POST /api/v1/auth/act/{accountId}/transfer': {
    path: { accountId: string }
    body?: AcceptOwnershipRequest
    response: undefined
  }
  'DELETE /api/v1/auth/act/{accountId}/transfer': {
    path: { accountId: string }
    response: undefined
  }
  'POST /api/v1/auth/accept-invitation': {
    body: AcceptInvitationRequest
    response: JoinedAccount
  }
  'GET /api/v1/auth/act': {
    response: AccountChoiceList
  }
  'POST /api/v1/auth/act': {
    body: EnterAccountRequest
    response: undefined
  }
  'DELETE /api/v1/auth/act/{accountId}': {
    path: { accountId: string }
    response: undefined
  }
  'GET /api/v1/operator/commands': {
    response: OperatorCommandList
  }
  'POST /api/v1/operator/commands': {
    body: RunCommandRequest
    response: CommandResult
  }
  'GET /api/v1/keys': {
    response: readonly (ApiKeySummary)[]
  }
  'POST /api/v1/keys': {
    body?: CreateKeyRequest
    response: CreatedApiKey
  }
  'POST /api/v1/keys/{id}/roll': {
    path: { id: string }
    body?: RollKeyRequest
    response: CreatedApiKey
  }
  'DELETE /api/v1/keys/{id}': {
    path: { id: string }
    response: undefined
  }
  'GET /api/v1/usage': {
    response: Usage
  }
  'GET /api/v1/usage/{period}': {
    path: { period: string }
    response: MonthUsage
  }
  'POST /api/v1/marketplace/resolve': {
    body: ResolveRequest
    response: SubscriptionView
  }
  'POST /api/v1/marketplace/activate': {
    body: ActivateRequest
    response: SubscriptionView
  }
  'GET /api/v1/marketplace/subscription': {
    response: SubscriptionView
  }
  'GET /api/v1/marketplace/subscriptions': {
    response: SubscriptionList
  }
  'POST /api/v1/marketplace/webhook': {
    body?: WebhookCall
    response: WebhookResult
  }
  'POST /api/v1/chat': {
    body: ChatRequest
    response: ChatReply
  }
  'GET /api/v1/chat/suggestions': {
    response: readonly (ChatSuggestion)[]
  }
  'GET /api/v1/chat/health': {
    response: ChatHealth
  }
  'GET /api/v1/health': {
    response: Health
  }
  'GET /readyz': {
    response: Readiness
  }
  'GET /livez': {
    response: Liveness
  }
}
