/** The signatures, checked by the library of Standard Webhooks and by Node. */
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSigningKeys, shownKeys, signedHeaders } from './signature.ts'

const BODY = '{"type":"webhook.test","data":{"ü":1}}'
/** Before the raw key of an Ed25519 public key in DER. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

function isSignedBy(publicKey: string, headers: ReturnType<typeof signedHeaders>, body: string): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI, Buffer.from(publicKey.replace('whpk_', ''), 'base64')]),
    ...{ format: 'der', type: 'spki' },
  })
  const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  return headers['webhook-signature']
    .split(' ')
    .filter((each) => each.startsWith('v1a,'))
    .some((each) => verify(null, text, key, Buffer.from(each.slice(4), 'base64')))
}

test('both signatures verify; a changed byte, id, time or key does not', () => {
  const keys = newSigningKeys()
  const { secret, publicKey } = shownKeys(keys)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.match(publicKey, /^whpk_[A-Za-z0-9+/]{43}=$/)
  const headers = signedHeaders('msg_1', Date.now(), BODY, [keys])
  assert.deepEqual(new Webhook(secret).verify(BODY, headers), JSON.parse(BODY))
  assert.ok(isSignedBy(publicKey, headers, BODY))
  const other = shownKeys(newSigningKeys())
  assert.throws(() => new Webhook(other.secret).verify(BODY, headers))
  assert.ok(!isSignedBy(other.publicKey, headers, BODY))
  const later = String(Number(headers['webhook-timestamp']) + 1)
  for (const [body, changed] of [
    [BODY.replace('1', '2'), headers],
    [BODY, { ...headers, 'webhook-id': 'msg_2' }],
    [BODY, { ...headers, 'webhook-timestamp': later }],
  ] as const) {
    assert.throws(() => new Webhook(secret).verify(body, changed))
    assert.ok(!isSignedBy(publicKey, changed, body))
  }
})

test('during a rotation, receivers with either secret accept it', () => {
  const [current, old] = [newSigningKeys(), newSigningKeys()]
  const headers = signedHeaders('msg_1', Date.now(), BODY, [current, old])
  for (const keys of [current, old]) {
    const { secret, publicKey } = shownKeys(keys)
    new Webhook(secret).verify(BODY, headers)
    assert.ok(isSignedBy(publicKey, headers, BODY))
  }
})
