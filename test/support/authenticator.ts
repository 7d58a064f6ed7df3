/** A passkey in software, each part of whose answers a test can change. Chromium's own is used in test/web/passkeys.test.ts. */

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const encoded = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url')

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40
const LENGTH_MAX = 24

/** Short maps, texts and byte strings of CBOR are enough here. */
function head(major: number, length: number): Buffer {
  if (length < LENGTH_MAX) return Buffer.from([(major << 5) | length])
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length])
}

export function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as string)])
  return Buffer.concat([head(5, value.size), ...parts])
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [ec2, es256, p256] = [2, -7, 1]
  const fields: [number, number | Buffer][] = [
    [1, ec2],
    [3, es256],
    [-1, p256],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return cbor(new Map(fields))
}

export interface Twist {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  flags?: number
  counter?: number
  handle?: string
  /** Of the attestation. */
  format?: string
  statement?: Map<string, unknown>
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** One that counts its signatures. */
export function createAuthenticator(site: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  let counter = 0
  let handle = ''

  const clientData = (type: string, challenge: string, twist: Twist): string =>
    JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? challenge,
      origin: twist.origin ?? site.origin,
      crossOrigin: false,
    })

  function authenticatorData(flags: number, twist: Twist, attested = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(twist.counter ?? ++counter)
    return Buffer.concat([sha256(twist.rpId ?? site.rpId), Buffer.from([twist.flags ?? flags]), count, attested])
  }

  return {
    id: encoded(credentialId),

    create({ challenge, user }: { challenge: string; user: { id: string } }, twist: Twist = {}) {
      handle = user.id
      const length = Buffer.from([0, credentialId.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const data = authenticatorData(PRESENT | VERIFIED | ATTESTED, twist, attested)
      const object = new Map<string, unknown>([
        ['fmt', twist.format ?? 'none'],
        ['attStmt', twist.statement ?? new Map()],
        ['authData', data],
      ])
      return {
        id: encoded(credentialId),
        clientDataJSON: encoded(clientData('webauthn.create', challenge, twist)),
        attestationObject: encoded(cbor(object)),
        transports: ['internal'],
      }
    },

    get({ challenge }: { challenge: string }, twist: Twist = {}) {
      const client = clientData('webauthn.get', challenge, twist)
      const data = authenticatorData(PRESENT | VERIFIED, twist)
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
      return {
        id: encoded(credentialId),
        clientDataJSON: encoded(client),
        authenticatorData: encoded(data),
        signature: encoded(signature),
        userHandle: twist.handle ?? handle,
      }
    },
  }
}
