/** Verifies callbacks by Standard Webhooks 1.0.0. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'

/** The callback is not from the service, or too old. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

type HeaderValues = Record<string, string | readonly string[] | undefined>

/** Older or newer callbacks may be repeated by somebody who has seen them. */
const TOLERANCE_SECONDS = 300
/** DER of an Ed25519 public key up to the key itself. */
const ED25519 = Uint8Array.from([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00])

/**
 * Returns the parsed body. `rawBody` has to be the bytes as they arrived, before any parser. `secret` is `whsec_…`, or the
 * public key `whpk_…`. Throws `WebhookError`.
 */
export function verifyWebhook<Event = unknown>(
  headers: Headers | HeaderValues,
  rawBody: string | Uint8Array,
  secret: string,
  nowMs: number = Date.now(),
): Event {
  const given = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const byName = new Map(given.map(([name, value]) => [name.toLowerCase(), value]))
  const read = (name: string): string => {
    const value = byName.get(name)
    if (typeof value !== 'string') throw new WebhookError(`The header ${name} is missing`)
    return value
  }
  const [id, timestamp, signatures] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')]
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookError('The time of the callback is too far from now')
  const body = Buffer.from(rawBody as Uint8Array)
  const text = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const isGenuine = verifierOf(secret)
  if (!signatures.split(' ').some((signature) => isGenuine(signature, text)))
    throw new WebhookError('No signature of the callback is right')
  return JSON.parse(body.toString('utf8')) as Event
}

function verifierOf(secret: string): (signature: string, text: Uint8Array) => boolean {
  const encoded = Buffer.from(secret.replace(/^wh(?:sec|pk)_/, ''), 'base64')
  if (encoded.length === 0) throw new TypeError('The secret of the webhook is empty')
  if (secret.startsWith('whpk_')) {
    const key = createPublicKey({ key: Buffer.concat([ED25519, encoded]), format: 'der', type: 'spki' })
    return (signature, text) =>
      signature.startsWith('v1a,') && verify(null, text, key, Buffer.from(signature.slice('v1a,'.length), 'base64'))
  }
  return (signature, text) => {
    if (!signature.startsWith('v1,')) return false
    const expected = createHmac('sha256', encoded).update(text).digest()
    const given = Buffer.from(signature.slice('v1,'.length), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
