import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError } from './webhook.ts'

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = '{"type":"scan.finished"}'
  const now = Date.now()
  const signed = (text = body, atMs = now) => {
    const timestamp = String(Math.floor(atMs / 1_000))
    const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(`id.${timestamp}.${text}`).digest('base64')
    return { 'webhook-id': 'id', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,AAAA v1,${signature}` }
  }

  test('accepts what the reference signs, with either kind of headers', () => {
    const reference = new Webhook(secret).sign('id', new Date(now), body)
    const headers = { ...signed(), 'webhook-signature': reference }
    assert.deepEqual(verifyWebhook(headers, body, secret), { type: 'scan.finished' })
    assert.deepEqual(verifyWebhook(new Headers(signed()), Buffer.from(body), secret), { type: 'scan.finished' })
    const shouted = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]))
    assert.deepEqual(verifyWebhook(shouted, body, secret), { type: 'scan.finished' })
  })

  test('accepts the public key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
    const timestamp = String(Math.floor(now / 1_000))
    const signature = sign(null, Buffer.from(`id.${timestamp}.${body}`), privateKey).toString('base64')
    const headers = { ...signed(), 'webhook-signature': `v1,AAAA v1a,${signature}` }
    assert.deepEqual(verifyWebhook(headers, body, `whpk_${raw}`), { type: 'scan.finished' })
    assert.throws(() => verifyWebhook(headers, `${body} `, `whpk_${raw}`), WebhookError)
  })

  const REFUSED: Record<string, [Record<string, string>, string]> = {
    'another body': [signed(), `${body} `],
    'another secret': [{ ...signed(), 'webhook-signature': 'v1,AAAA' }, body],
    'no signature': [{ ...signed(), 'webhook-signature': '' }, body],
    'an old callback': [signed(body, now - 301_000), body],
    'one of the future': [signed(body, now + 302_000), body],
    'a signature in other letters': [
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].toLowerCase() },
      body,
    ],
    'a signature in hexadecimal': [
      {
        ...signed(),
        'webhook-signature': `v1,${Buffer.from(signed()['webhook-signature'].slice(12), 'base64').toString('hex')}`,
      },
      body,
    ],
    'a signature of another kind': [
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace(' v1,', ' v2,') },
      body,
    ],
    'a time with a sign': [{ ...signed(), 'webhook-timestamp': `+${Math.floor(now / 1_000)}` }, body],
    'a time without end': [{ ...signed(), 'webhook-timestamp': '9'.repeat(100_000) }, body],
    'no time': [{ ...signed(), 'webhook-timestamp': 'NaN' }, body],
  }
  for (const [name, [headers, text]] of Object.entries(REFUSED))
    test(`refuses ${name}`, () => {
      assert.throws(() => verifyWebhook(headers, text, secret, now), WebhookError)
    })

  test('refuses missing headers', () => {
    assert.throws(() => verifyWebhook({}, body, secret), WebhookError)
    for (const empty of ['', 'whsec_', 'whsec_!!!!', 'whpk_'])
      assert.throws(() => verifyWebhook(signed(), body, empty), TypeError)
  })
})
