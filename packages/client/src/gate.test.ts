import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decide } from './gate.ts'
import { Docvet, DocvetError } from './index.ts'

describe('the files of a request', () => {
  const uploads = ['a', 'b', 'c'].map((text) => ({ fileName: 'same.txt', input: Buffer.from(text) }))

  test('have their verdicts in their order, also if they have one name', async () => {
    const waits: Record<string, number> = { a: 60, b: 30, c: 0 }
    const docvet = {
      async scan(input: Buffer) {
        await sleep(waits[input.toString()])
        return { status: 'clean', scanId: input.toString() }
      },
    } as unknown as Docvet
    const { verdicts } = await decide(docvet, uploads, { concurrency: 3 })
    assert.deepEqual(
      verdicts.map((each) => 'scanId' in each && each.scanId),
      ['a', 'b', 'c'],
    )
  })

  test('are not let through by a number that is none', async () => {
    for (const concurrency of [Number.NaN, 0, -1])
      await assert.rejects(
        decide(new Docvet({ url: 'http://127.0.0.1:1', key: 'x' }), uploads, { concurrency }),
        TypeError,
      )
  })

  const failing = (code: string, status: number | null) =>
    ({ scan: () => Promise.reject(new DocvetError(code, 'x', status)) }) as unknown as Docvet
  for (const [code, status, isAllowed] of [
    ['unreachable', null, true],
    ['timeout', null, true],
    ['quota_exhausted', 402, true],
    ['busy', 503, true],
    ['malformed_multipart', 400, false],
    ['body_too_large', 413, false],
    ['idempotency_key_reused', 422, false],
    ['scan_timeout', 503, false],
  ] as const)
    test(`with failures allowed, ${code} ${isAllowed ? 'passes' : 'blocks, because the file may be its cause'}`, async () => {
      const { blocked } = await decide(failing(code, status), uploads, { onFailure: 'allow' })
      assert.equal(blocked?.status, isAllowed ? undefined : 503)
    })
})
