import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFakeClamd } from '#test/support/fake-clamd.ts'
import { request } from '#test/support/raw-http.ts'
import { startService } from '#test/support/service.ts'

test('names each clamd that is not used and why, without its URL', async () => {
  // Never too old.
  await using fresh = await startFakeClamd({ version: 'ClamAV 1.4.6/27801/Fri Nov  1 08:00:00 2222' })
  await using old = await startFakeClamd({ version: 'ClamAV 1.4.6/27801/Sun Nov  1 08:00:00 2020' })
  await using service = await startService({
    DOCVET_CLAMD_URL: `${fresh.url},${old.url},unix:/nowhere/clamd.ctl`,
    DOCVET_CLAMD_SIGNATURES_MAX_AGE_HOURS: '72',
    DOCVET_ADDRESS_RATE_PER_MINUTE: '1000',
  })
  const look = () => request(service.port, 'GET', '/api/v1/health')
  let answer = await look()
  for (let i = 0; i < 50 && answer.body.includes('has not passed a canary check yet'); i++) {
    await sleep(50)
    answer = await look()
  }
  const { engines } = answer.json() as { engines: { name: string; status: string; detail: string }[] }
  const clamd = engines.find(({ name }) => name === 'clamd')
  assert.equal(clamd?.status, 'UP')
  assert.match(
    clamd?.detail ?? '',
    /^clamd 2 of 3: has signatures that are \d{5,} hours old \(maximum 72\): run freshclam; clamd 3 of 3: cannot be reached$/,
  )
  assert.doesNotMatch(answer.body, /nowhere|127\.0\.0\.1|ENOENT/)
})
