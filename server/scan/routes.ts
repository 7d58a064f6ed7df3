/** POST /api/v1/scan and /api/v1/scans */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, PROBLEMS } from '#base/errors.ts'
import type { Principal } from '#base/principal.ts'
import type { DocumentText } from '#engines/engine.ts'
import { addressBlock } from '#http/address.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { restAnswer, restRefusal } from './clamav-rest.ts'
import SCAN_EXAMPLES from './examples.json' with { type: 'json' }
import { FindingArticle, FindingList, FindingParams } from './finding-schema.ts'
import type { Findings } from './findings.ts'
import { formSource } from './intake.ts'
import { type Preference, preferenceOf } from './preference.ts'
import { ScanList, ScanParams, ScanReport, ScansQuery } from './report-schema.ts'
import { isFinal, type Reports } from './reports.ts'
import { type Answered, answerEarly } from './respond-async.ts'
import { type EndedScan, NO_VERDICT, type Scan, type ScanRequest } from './scan.ts'
import { AcceptedScan, ScanForm, ScanHeaders, ScanQuery, ScanResponse, type ScanResult, TooLarge } from './schema.ts'
import type { Source } from './source.ts'
import type { ScanStore } from './store.ts'
import { notUploadedRow } from './unscanned.ts'
import { UploadAborted } from './upload.ts'

/** Fastify merges these with the headers of the request whenever it reads them. */
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/** Until a client should ask again. */
const POLL_SECONDS = 1

/** Of every document. */
const SCAN_PROBLEMS: readonly ErrorCode[] = [
  'empty_file',
  'quota_exhausted',
  'request_in_progress',
  'key_limit_reached',
  'file_too_large',
  'encrypted_document',
  'document_too_complex',
  'damaged_document',
  'idempotency_key_reused',
  'engine_unavailable',
  'scan_timeout',
  'scan_lost',
  'busy',
]

/** The key on which a scan is metered. */
type MeteredKey = (principal: Principal) => Promise<string> | string

export interface ScanRouteOptions {
  scan: Scan
  meteredKey: MeteredKey
  /** Otherwise nobody could ask for a verdict later, so every scan is answered with it. */
  keepsReports: boolean
  /** The relation of a scan to its receipt; null without receipts. */
  receiptType?: string | null
  /** Of a scan that was answered before its verdict. */
  onEnded(ended: EndedScan): void
}

/** Routes whose handlers read the body themselves. */
export async function registerUploads(server: Server, register: (scope: Server) => void): Promise<void> {
  await server.register(async (scope: Server) => {
    // The scan reads the original headers, and the body after every refusal that is possible without it. Fastify would check
    // the content type before the quota, so it sees a request without a body.
    scope.addHook('onRequest', (request, _reply, done) => {
      request.headers = NO_BODY
      done()
    })
    register(scope)
  })
}

export async function scanRoutes(server: Server, options: ScanRouteOptions): Promise<void> {
  const { scan, meteredKey } = options
  const answer = createAnswer(options)
  await registerUploads(server, (scope) => {
    scope.post(
      '/api/v1/scan',
      {
        attachValidation: true,
        config: {
          ...scanConfig(['missing_file', 'too_many_files', 'malformed_multipart']),
          streamed: ScanForm,
        },
        schema: {
          operationId: 'scanDocument',
          querystring: ScanQuery,
          response: { 200: ScanResponse, 202: AcceptedScan },
        },
      },
      (request, reply) =>
        answer(request, reply, {
          sourceOf: () => formOf(request),
          hidden: request.query.include === undefined ? NOT_WANTED : takeHiddenText(request),
        }),
    )

    // As clamav-rest answers it. Its clients look at the status; those that cannot send a key need a proxy that does.
    scope.post(
      '/v2/scan',
      {
        attachValidation: true,
        config: { credential: 'key', scopes: ['scan'], rate: 'scan', logFields: { ...NO_VERDICT }, streamed: ScanForm },
      },
      async (request, reply) => {
        const logFields = { ...NO_VERDICT }
        request.logFields = logFields
        const keyId = await meteredKey(principalOf(request))
        const gone = whileConnected(reply)
        try {
          const { status, body } = restAnswer(
            await scan({ ...askedBy(request, keyId), source: formOf(request), gone, logFields }),
          )
          return reply.code(status).send(body)
        } catch (error) {
          const refusal = restRefusal(error)
          return refusal ? reply.code(refusal.status).send(refusal.body) : hangUp(error, request, reply)
        }
      },
    )
  })
}

/** Of every route that scans one document; `problems` are those of its own. */
export const scanConfig = (problems: readonly ErrorCode[]) => ({
  credential: 'key or session' as const,
  scopes: ['scan'] as const,
  role: 'member' as const,
  rate: 'scan' as const,
  logFields: { ...NO_VERDICT },
  describedHeaders: ScanHeaders,
  examples: { 200: SCAN_EXAMPLES },
  problems: [...problems, ...SCAN_PROBLEMS].sort((one, other) => PROBLEMS[one].status - PROBLEMS[other].status),
})

interface AnsweredDocument {
  sourceOf: (gone: AbortSignal) => Source
  /** For a document that the client does not send: it is answered before the document is read. */
  /** It is part of the response, and of nothing that is stored. */
  hidden?: HiddenText
  queue?: (document: AskedScan, preference: Preference, connected: AbortSignal) => Promise<Answered>
}

/** Answers with the verdict, or before it if the client prefers that. */
export function createAnswer({ scan, meteredKey, keepsReports, receiptType = null, onEnded }: ScanRouteOptions) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { sourceOf, queue, hidden = NOT_WANTED }: AnsweredDocument,
  ) => {
    const logFields = { ...NO_VERDICT }
    request.logFields = logFields
    const keyId = await meteredKey(principalOf(request))
    try {
      const isLater = keepsReports && hidden.onText === undefined
      const preference = isLater ? preferenceOf(request.raw.headers.prefer) : null
      const connected = whileConnected(reply)
      const asked = askedBy(request, keyId)
      const answered =
        preference && queue
          ? await queue(asked, preference, connected)
          : await answerEarly(preference, connected, (gone, onAccepted) =>
              scan({ ...asked, source: sourceOf(gone), ...{ onAccepted, gone, logFields, onText: hidden.onText } }),
            )
      if (answered.kind === 'result') {
        const report = `/api/v1/scans/${answered.result.scanId}`
        reply.header('content-location', report)
        if (receiptType !== null) reply.header('link', `<${report}/receipt>; rel="${receiptType}"`)
        return hidden.addTo(answered.result)
      }
      const { scanId, reference } = answered.accepted
      const end = (error: unknown) => {
        const seconds = reply.elapsedTime / 1_000
        onEnded({ requestId: request.id, scanId, keyId, logFields, seconds, error })
      }
      answered.ended?.then(() => end(null), end)
      reply.code(202).header('location', `/api/v1/scans/${scanId}`).header('retry-after', POLL_SECONDS)
      reply.header('preference-applied', 'respond-async')
      return { scanId, state: 'queued' as const, ...(reference !== null && { reference }) }
    } catch (error) {
      return hangUp(error, request, reply)
    }
  }
}

interface HiddenText {
  onText: ScanRequest['onText']
  addTo(result: ScanResult): ScanResult
}

const NOT_WANTED: HiddenText = { onText: undefined, addTo: (result) => result }

function takeHiddenText(request: FastifyRequest): HiddenText {
  refuseReplays(request)
  let hiddenText: DocumentText['hidden'] | undefined
  return {
    onText(text) {
      hiddenText = text.hidden
    },
    // Absent if another engine was faster to find a threat.
    addTo: (result) => (hiddenText === undefined ? result : { ...result, hiddenText }),
  }
}

/** A replay has no text: it is not stored. */
export function refuseReplays({ raw }: FastifyRequest): void {
  if (raw.headers['idempotency-key'] !== undefined)
    throw new AppError(
      'invalid_request',
      '`Idempotency-Key` is not supported here: the text of a document is not stored.',
    )
}

export const formOf = ({ raw, validationError }: FastifyRequest): Source =>
  formSource(raw.headers, raw, validationError)

/** Who asks for a scan. */
export type AskedScan = ReturnType<typeof askedBy>

export function askedBy(request: FastifyRequest, keyId: string) {
  const principal = principalOf(request)
  const { accountId, plan } = principal
  const meterId = principal.kind === 'key' ? principal.meterId : undefined
  const address = addressBlock(request.ip, request.socket.remoteAddress)
  return {
    principal: { keyId, meterId, accountId, plan, address },
    idempotencyKey: request.raw.headers['idempotency-key'],
    requestId: request.id,
  }
}

/** Throws any error but that of a client which has disconnected. */
export function hangUp(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof UploadAborted)) throw error
  reply.hijack()
  request.raw.destroy()
  return reply
}

/** For the dashboard: uploading a document that is too large would only take time, but it belongs to the history. */
export function tooLargeRoute(server: Server, store: Pick<ScanStore, 'recordUnscanned'>, meteredKey: MeteredKey): void {
  server.post(
    '/dashboard/too-large',
    { config: { credential: 'session', role: 'member' }, schema: { body: TooLarge } },
    async (request, reply) => {
      const principal = principalOf(request)
      const keyId = await meteredKey(principal)
      const row = notUploadedRow({ keyId, accountId: principal.accountId }, request.body)
      if (row !== null) await store.recordUnscanned(row)
      return reply.code(204).send()
    },
  )
}

/** Query values are text. Others than whole numbers are left to the schema. */
function parseLimit(query: Record<string, unknown>): void {
  if (typeof query.limit === 'string' && /^\d{1,9}$/.test(query.limit)) query.limit = Number(query.limit)
}

export function reportRoutes(server: Server, reports: Reports): void {
  const config = { credential: 'key or session', scopes: ['read'], role: 'viewer' } as const

  server.get(
    '/api/v1/scans',
    {
      config,
      schema: { operationId: 'listScans', querystring: ScansQuery, response: { 200: ScanList } },
      preValidation(request, _reply, done) {
        parseLimit(request.query as Record<string, unknown>)
        done()
      },
    },
    (request) => reports.list(principalOf(request).accountId, request.query),
  )

  server.get(
    '/api/v1/scans/:scanId',
    {
      config: { ...config, problems: ['not_found'] },
      schema: { operationId: 'getScan', params: ScanParams, response: { 200: ScanReport } },
    },
    async (request, reply) => {
      const report = await reports.find(principalOf(request).accountId, request.params.scanId)
      if (!isFinal(report)) reply.header('retry-after', POLL_SECONDS)
      return report
    },
  )
}

export function findingRoutes(server: Server, findings: Pick<Findings, 'article' | 'articles'>): void {
  server.get(
    '/api/v1/findings',
    { config: { credential: 'none' }, schema: { operationId: 'listFindings', response: { 200: FindingList } } },
    () => ({ items: findings.articles() }),
  )

  server.get(
    '/api/v1/findings/:id',
    {
      config: { credential: 'none', problems: ['not_found'] },
      schema: { operationId: 'getFinding', params: FindingParams, response: { 200: FindingArticle } },
    },
    (request) => findings.article(request.params.id),
  )
}
