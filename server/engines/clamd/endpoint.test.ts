import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVersion } from './canary-check.ts'
import { parseClamdUrl } from './endpoint.ts'

test('parses unix and tcp URLs', () => {
  assert.deepEqual(parseClamdUrl('unix:/run/clamav/clamd.ctl'), {
    url: 'unix:/run/clamav/clamd.ctl',
    target: { path: '/run/clamav/clamd.ctl' },
  })
  assert.deepEqual(parseClamdUrl('unix:///run/c').target, { path: '/run/c' })
  assert.deepEqual(parseClamdUrl('tcp://clamd:3310'), {
    url: 'tcp://clamd:3310',
    target: { host: 'clamd', port: 3310 },
  })
  assert.deepEqual(parseClamdUrl('tcp://[::1]:3310').target, { host: '::1', port: 3310 })
  assert.deepEqual(parseClamdUrl(`unix:/${'a'.repeat(106)}`).target, { path: `/${'a'.repeat(106)}` })
})

const REFUSED = {
  '': 'is not a clamd URL',
  '/run/clamav/clamd.ctl': 'is not a clamd URL',
  'http://localhost:3310': 'is not a clamd URL',
  'unix:': 'full path',
  'unix:run/clamd.ctl': 'full path',
  'unix://host/clamd.ctl': 'full path',
  'unix:/a\0b': 'full path',
  [`unix:/${'a'.repeat(107)}`]: 'limited to 107 bytes',
  'tcp://localhost': 'a host and a port',
  'tcp://:3310': 'a host and a port',
  'tcp:localhost:3310': 'a host and a port',
  'tcp://user:secret@localhost:3310': 'a host and a port',
  'tcp://localhost:3310/path': 'a host and a port',
  'tcp://localhost:0': 'between 1 and 65535',
  'tcp://localhost:65536': 'between 1 and 65535',
}
for (const [text, message] of Object.entries(REFUSED)) {
  test(`rejects ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.throws(() => parseClamdUrl(text), new RegExp(message))
  })
}

test('reads the version, with and without the official database', () => {
  assert.deepEqual(readVersion(Buffer.from('ClamAV 1.4.6/27000/Mon Nov  2 08:09:10 2026\0')), {
    version: '1.4.6',
    signatures: '27000',
    signaturesAt: new Date('2026-11-02T08:09:10Z'),
  })
  assert.deepEqual(readVersion(Buffer.from('ClamAV 1.4.6\0')), {
    version: '1.4.6',
    signatures: null,
    signaturesAt: null,
  })
  assert.equal(readVersion(Buffer.from('ClamAV 1.4.6/27000/yesterday\0'))?.signaturesAt, null)
  for (const reply of ['', 'UNKNOWN COMMAND\0', 'PONG\0', 'ClamAV\0', `ClamAV ${'1'.repeat(100)}\0`]) {
    assert.equal(readVersion(Buffer.from(reply)), null)
  }
})
