/** The outcomes of a scan, and how every protocol and option reports them: one table, so that none is forgotten. */
import type { ErrorCode } from '#base/errors.ts'
import type { Listener } from './specification.ts'

export type OutcomeName = keyof typeof OUTCOMES

/** The end of a scan. */
export interface Outcome {
  name: OutcomeName
  /** Of an infected document. */
  threat?: string
  /** Of a failure, if it is known. */
  retryAfterSeconds?: number | undefined
}

/** The reply of the clamd protocol. `text` follows `stream: ` unless `isBare`; null closes the connection without a reply. */
export type ClamdReply =
  | { kind: 'ok' }
  | { kind: 'found'; name: string | null }
  | { kind: 'error'; text: string; isBare?: true }
  | { kind: 'close' }

/** The response of the ICAP protocol. */
export type IcapReply =
  | { kind: 'unmodified' }
  /** The block page. `type` 0: infected, 2: it could not be inspected. Without a threat, that of the outcome. */
  | { kind: 'blocked'; type: 0 | 2; threat: string | null }
  /** `errorCode`: for Nextcloud, in `X-Error-Code`. */
  | { kind: 'error'; status: 500 | 503; errorCode: string | null }

interface Row {
  /** Problem codes of the HTTP API; `200` is a verdict. */
  http: readonly (ErrorCode | '200')[]
  clamd: Record<`${'error' | 'found'} ${'error' | 'limits' | 'close'}`, ClamdReply>
  icap: Record<`${'error' | 'found'} ${'error' | 'found'}`, IcapReply>
}

const OK = { kind: 'ok' } as const
const UNMODIFIED = { kind: 'unmodified' } as const

const found = (name: string | null): ClamdReply => ({ kind: 'found', name })
const violation = (threat: string): IcapReply => ({ kind: 'blocked', type: 2, threat })
const icapError = (errorCode: string): IcapReply => ({ kind: 'error', status: 500, errorCode })

/** The same, whatever the options. */
const always = (clamd: ClamdReply, icap: IcapReply): Pick<Row, 'clamd' | 'icap'> => ({
  clamd: {
    'error error': clamd,
    'error limits': clamd,
    'error close': clamd,
    'found error': clamd,
    'found limits': clamd,
    'found close': clamd,
  },
  icap: { 'error error': icap, 'error found': icap, 'found error': icap, 'found found': icap },
})

/** By the option `unscannable`. */
function uninspected(text: string, name: string, threat: string, errorCode: string): Pick<Row, 'clamd' | 'icap'> {
  const [clamd, icap] = [{ kind: 'error', text } as const, icapError(errorCode)]
  const { clamd: asFound, icap: asBlocked } = always(found(name), violation(threat))
  return {
    clamd: { ...asFound, 'error error': clamd, 'error limits': clamd, 'error close': clamd },
    icap: { ...asBlocked, 'error error': icap, 'error found': icap },
  }
}

/** By the option `failure`: to rspamd `limits` means a failed scan, and products that accept every error refuse the file. */
function failed(error: ClamdReply, limits: string, threat: string): Pick<Row, 'clamd' | 'icap'> {
  const icap: IcapReply = { kind: 'error', status: 503, errorCode: null }
  return {
    clamd: {
      'error error': error,
      'found error': error,
      'error limits': found(limits),
      'found limits': found(limits),
      'error close': { kind: 'close' },
      'found close': { kind: 'close' },
    },
    icap: {
      'error error': icap,
      'found error': icap,
      'error found': violation(threat),
      'found found': violation(threat),
    },
  }
}

const LIMITS = 'Heuristics.Limits.Exceeded.Docvet'
const TOO_SLOW = 'Transfer too slow'
const FAILED = failed({ kind: 'error', text: 'Service unavailable' }, `${LIMITS}.Unavailable`, 'Scan failure')
const TOO_LARGE: ClamdReply = { kind: 'error', text: 'INSTREAM size limit exceeded.', isBare: true }

/** The keys of the inner tables are the options `unscannable` and `failure`. */
export const OUTCOMES = {
  clean: { http: ['200'], ...always(OK, UNMODIFIED) },
  infected: { http: ['200'], ...always(found(null), { kind: 'blocked', type: 0, threat: null }) },
  encrypted: {
    http: ['encrypted_document'],
    ...uninspected(
      'Encrypted document',
      'Heuristics.Encrypted.Docvet',
      'Encrypted container violation',
      'password_protected',
    ),
  },
  too_complex: {
    http: ['document_too_complex'],
    ...uninspected('Document too complex', LIMITS, 'Container size violation', 'max_archive_layers_exceeded'),
  },
  damaged: {
    http: ['damaged_document'],
    ...uninspected('Damaged document', 'Heuristics.Broken.Docvet', 'Malformed container violation', 'decode_error'),
  },
  /** Content that is no document, unless the option `other` has it inspected or passed. */
  unsupported: {
    http: ['unsupported_content_type'],
    ...uninspected('Content not supported', 'Heuristics.Unsupported.Docvet', 'Unsupported content', 'decode_error'),
  },
  too_large: {
    http: ['file_too_large'],
    clamd: failed(TOO_LARGE, LIMITS, '').clamd,
    icap: uninspected('', '', 'Container size violation', 'max_archive_layers_exceeded').icap,
  },
  /** No byte that could be harmful: the only one besides `passed` that is reported as clean without a verdict. */
  empty: { http: ['empty_file'], ...always(OK, UNMODIFIED) },
  /** By `other=pass:`, at the operator's own risk. */
  passed: { http: [], ...always(OK, UNMODIFIED) },
  /** The sender is at fault. Over ICAP the block page, as for a refusal: Squid stops asking after eleven failures. */
  too_slow: {
    http: ['request_timeout'],
    clamd: FAILED.clamd,
    icap: { ...FAILED.icap, 'found error': violation(TOO_SLOW), 'found found': violation(TOO_SLOW) },
  },
  /** Everything else: no verdict, and nothing charged. */
  failed: {
    http: [
      'unauthenticated',
      'quota_exhausted',
      'rate_limited',
      'storage_unavailable',
      'engine_unavailable',
      'scan_timeout',
      'busy',
      'internal_error',
    ],
    ...FAILED,
  },
} as const satisfies Record<string, Row>

const BY_CODE = new Map<string, OutcomeName>(
  Object.entries(OUTCOMES).flatMap(([name, { http }]) => http.map((code) => [code, name as OutcomeName] as const)),
)

/** The outcome of a refusal by the scan. A code that is not in the table is a failure, never clean. */
export const outcomeOfCode = (code: ErrorCode): OutcomeName => BY_CODE.get(code) ?? 'failed'

type Options = Pick<Listener, 'unscannable' | 'failure'>

export function clamdReply({ name }: Outcome, { unscannable, failure }: Options): ClamdReply {
  return OUTCOMES[name].clamd[`${unscannable} ${failure === 'found' ? 'limits' : failure}`]
}

export function icapReply({ name }: Outcome, { unscannable, failure }: Options): IcapReply {
  return OUTCOMES[name].icap[`${unscannable} ${failure === 'found' ? 'found' : 'error'}`]
}
