/** Signatures of callbacks by Standard Webhooks 1.0.0: `v1` (HMAC-SHA256) and `v1a` (Ed25519). */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const SECRET_BYTES = 32
const PUBLIC_KEY_BYTES = 32

/** The signing secrets; stored encrypted. Both in Base64. */
export interface SigningKeys {
  secret: string
  /** PKCS #8; the operator has none. */
  privateKey?: string
}

export function newSigningKeys(): Required<SigningKeys> {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    secret: randomBytes(SECRET_BYTES).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  }
}

const privateKeyOf = (privateKey: string) =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })

/** As receivers configure them. */
export function shownKeys(keys: Required<SigningKeys>): { secret: string; publicKey: string } {
  const der = createPublicKey(privateKeyOf(keys.privateKey)).export({ type: 'spki', format: 'der' })
  return {
    secret: `whsec_${keys.secret}`,
    // The raw key is the end of the structure.
    publicKey: `whpk_${der.subarray(-PUBLIC_KEY_BYTES).toString('base64')}`,
  }
}

/** Headers of one attempt. Every key signs, so that a receiver can change its secret at any time of a rotation. */
export function signedHeaders(id: string, timestampMs: number, body: string, keys: readonly SigningKeys[]) {
  const timestamp = String(Math.floor(timestampMs / 1_000))
  const text = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures = keys.flatMap((each) => [
    `v1,${createHmac('sha256', Buffer.from(each.secret, 'base64')).update(text).digest('base64')}`,
    ...(each.privateKey === undefined
      ? []
      : [`v1a,${sign(null, text, privateKeyOf(each.privateKey)).toString('base64')}`]),
  ])
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
