/** One test per cell of the table of outcomes, and the rules for every reply that is not clean. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PROBLEMS } from '#base/errors.ts'
import { streamReply } from './clamd/replies.ts'
import {
  type ClamdReply,
  clamdReply,
  type IcapReply,
  icapReply,
  OUTCOMES,
  type Outcome,
  type OutcomeName,
  outcomeOfCode,
} from './outcomes.ts'
import type { Listener } from './specification.ts'

const UNSCANNABLE = ['error', 'found'] as const
const THREAT = 'Win.Test.EICAR_HDB-1'
const LARGE = 'INSTREAM size limit exceeded. ERROR'
const LIMITS = 'stream: Heuristics.Limits.Exceeded.Docvet FOUND'
const DOWN = 'stream: Service unavailable ERROR'
const DOWN_LIMITS = 'stream: Heuristics.Limits.Exceeded.Docvet.Unavailable FOUND'

/** With `unscannable=error` and `found`, each with `failure=error`, `limits` and `close`; null is a reset. */
const CLAMD: Record<OutcomeName, readonly (string | null)[]> = {
  clean: Array(6).fill('stream: OK'),
  empty: Array(6).fill('stream: OK'),
  passed: Array(6).fill('stream: OK'),
  infected: Array(6).fill(`stream: ${THREAT} FOUND`),
  encrypted: [
    ...Array(3).fill('stream: Encrypted document ERROR'),
    ...Array(3).fill('stream: Heuristics.Encrypted.Docvet FOUND'),
  ],
  too_complex: [...Array(3).fill('stream: Document too complex ERROR'), ...Array(3).fill(LIMITS)],
  damaged: [
    ...Array(3).fill('stream: Damaged document ERROR'),
    ...Array(3).fill('stream: Heuristics.Broken.Docvet FOUND'),
  ],
  unsupported: [
    ...Array(3).fill('stream: Content not supported ERROR'),
    ...Array(3).fill('stream: Heuristics.Unsupported.Docvet FOUND'),
  ],
  too_large: [LARGE, LIMITS, null, LARGE, LIMITS, null],
  too_slow: [DOWN, DOWN_LIMITS, null, DOWN, DOWN_LIMITS, null],
  failed: [DOWN, DOWN_LIMITS, null, DOWN, DOWN_LIMITS, null],
}

const unmodified: IcapReply = { kind: 'unmodified' }
const blocked = (type: 0 | 2, threat: string | null): IcapReply => ({ kind: 'blocked', type, threat })
const error = (status: 500 | 503, errorCode: string | null): IcapReply => ({ kind: 'error', status, errorCode })
const uninspected = (code: string, threat: string) => [
  ...Array<IcapReply>(2).fill(error(500, code)),
  ...Array<IcapReply>(2).fill(blocked(2, threat)),
]

/** With `unscannable=error` and `found`, each with `failure=error` and `found`. */
const ICAP: Record<OutcomeName, readonly IcapReply[]> = {
  clean: Array(4).fill(unmodified),
  empty: Array(4).fill(unmodified),
  passed: Array(4).fill(unmodified),
  infected: Array(4).fill(blocked(0, null)),
  encrypted: uninspected('password_protected', 'Encrypted container violation'),
  too_complex: uninspected('max_archive_layers_exceeded', 'Container size violation'),
  damaged: uninspected('decode_error', 'Malformed container violation'),
  unsupported: uninspected('decode_error', 'Unsupported content'),
  too_large: uninspected('max_archive_layers_exceeded', 'Container size violation'),
  too_slow: [error(503, null), blocked(2, 'Scan failure'), ...Array(2).fill(blocked(2, 'Transfer too slow'))],
  failed: [error(503, null), blocked(2, 'Scan failure'), error(503, null), blocked(2, 'Scan failure')],
}

const HTTP: Record<OutcomeName, readonly string[]> = {
  clean: ['200'],
  infected: ['200'],
  encrypted: ['422 encrypted_document'],
  too_complex: ['422 document_too_complex'],
  damaged: ['422 damaged_document'],
  unsupported: ['415 unsupported_content_type'],
  too_large: ['413 file_too_large'],
  empty: ['400 empty_file'],
  passed: [],
  too_slow: ['408 request_timeout'],
  failed: [
    '401 unauthenticated',
    '402 quota_exhausted',
    '429 rate_limited',
    '503 storage_unavailable',
    '503 engine_unavailable',
    '503 scan_timeout',
    '503 busy',
    '500 internal_error',
  ],
}

const NAMES = Object.keys(OUTCOMES) as OutcomeName[]
const outcomeOf = (name: OutcomeName): Outcome => (name === 'infected' ? { name, threat: THREAT } : { name })

function combined<F extends Listener['failure']>(failures: readonly F[]) {
  return UNSCANNABLE.flatMap((unscannable) => failures.map((failure) => ({ unscannable, failure })))
}

describe('the outcome', () => {
  for (const name of NAMES) {
    for (const [index, options] of combined(['error', 'limits', 'close']).entries()) {
      test(`${name} over clamd with ${JSON.stringify(options)}`, () => {
        assert.equal(streamReply(outcomeOf(name), options), CLAMD[name][index])
      })
    }
    for (const [index, options] of combined(['error', 'found']).entries()) {
      test(`${name} over ICAP with ${JSON.stringify(options)}`, () => {
        assert.deepEqual(icapReply(outcomeOf(name), options), ICAP[name][index])
      })
    }
    test(`${name} over HTTP`, () => {
      const codes = OUTCOMES[name].http.map((code) => (code === '200' ? code : `${PROBLEMS[code].status} ${code}`))
      assert.deepEqual(codes, HTTP[name])
    })
  }
})

test('every problem code has an outcome, and none of them is clean except that of an empty document', () => {
  for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
    const name = outcomeOfCode(code)
    const cells: (ClamdReply | IcapReply)[] = [
      ...combined(['error', 'limits', 'close']).map((options) => clamdReply({ name }, options)),
      ...combined(['error', 'found']).map((options) => icapReply({ name }, options)),
    ]
    const isClean = cells.some(({ kind }) => kind === 'ok' || kind === 'unmodified')
    assert.equal(isClean, code === 'empty_file', code)
  }
})
