import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mint } from '#keys/key.ts'
import { createLog } from './log.ts'
import { redactSecrets } from './redact.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog({ level: 'trace', stream: { write: (line: string) => lines.push(line) } }))
  return lines.join('')
}

test('a key anywhere in a line is cut to its prefix', () => {
  const { secret, prefix } = mint()
  for (const line of [`{"path":"/x/${secret}"}`, `{"msg":"got ${secret}, ${secret}"}`]) {
    const safe = redactSecrets(line)
    assert.ok(!safe.includes(secret.slice(12)), safe)
    assert.ok(safe.includes(`${prefix}…`))
  }
})

test('a truncated key is cut too', () => {
  assert.ok(!redactSecrets('{"path":"dv_live_abcdefghijkl"}').includes('efgh'))
})

test('the secret of a callback is cut to its first letters', () => {
  assert.equal(redactSecrets('{"msg":"got whsec_MfKQ9r8GKYqrTwjU/D8+ILPZIo2LaLaSw="}'), '{"msg":"got whsec_…"}')
})

test('a recovery code is hidden, and an id is not', () => {
  assert.equal(redactSecrets('"path":"/a/4T7QK-9XWBM-2hnrd-VC36P"'), '"path":"/a/[redacted]"')
  const id = '"id":"019a8b1c-7f4e-7c3a-9d2b-5e6f70819203"'
  assert.equal(redactSecrets(id), id)
})

test('fields that hold secrets are emptied at any depth, whatever is in them', () => {
  const text = logged((log) =>
    log.info({
      headers: { Authorization: 'Bearer x"y\\', cookie: 'a=b', 'X-API-Key': 'k' },
      body: { password: 'hunter2', token: 't0', apiKey: 'k1' },
      'Set-Cookie': 'c0',
    }),
  )
  assert.doesNotMatch(text, /Bearer|a=b|hunter2|"t0"|"k"|"k1"|"c0"/)
  assert.doesNotThrow(() => JSON.parse(text))
})

test('the password of a connection string is hidden, in messages and in errors', () => {
  const text = logged((log) => {
    log.warn({ err: new Error('connect postgres://app:s3cret@db.example:5432/x failed') })
    log.warn('redis://:s3cret@cache:6379')
  })
  assert.doesNotMatch(text, /s3cret/)
  assert.match(text, /db\.example/)
})

test('control characters cannot break out of a line', () => {
  const text = logged((log) => log.info({ path: 'a\nb\u001b[31m\r' }, 'x\ny'))
  assert.equal(text.trimEnd().split('\n').length, 1)
  assert.ok(!text.includes('\u001b'))
})
