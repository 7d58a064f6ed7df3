/** Encrypts what must be stored readable, such as signing secrets and presigned URLs, with a key that is not in the database. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

const SEAL_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/** The value was sealed with another key, moved to another row, or changed. */
export class NotOpened extends Error {
  constructor() {
    super('A stored secret cannot be decrypted: DOCVET_SECRET_KEY is another one than when it was stored')
  }
}

export type Seal = ReturnType<typeof createSeal>

/** Tells a value of another key from a damaged one: values begin with it. */
export const keyName = (key: Buffer): string => hash('sha256', key, 'hex').slice(0, 8)

/** With a key that is read, or created, when it is needed first. */
export function lazySeal(readKey: () => Buffer): Seal {
  let seal: Seal | undefined
  const ready = () => {
    seal ??= createSeal(readKey())
    return seal
  }
  return { close: (text, place) => ready().close(text, place), open: (sealed, place) => ready().open(sealed, place) }
}

/** `place` names the row and column of a value, so that it cannot be used in another one. */
export function createSeal(key: Buffer) {
  if (key.length !== SEAL_KEY_BYTES) throw new Error(`The key must have ${SEAL_KEY_BYTES} bytes`)
  const name = keyName(key)

  return {
    close(text: string, place: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place))
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${name}.${bytes.toString('base64')}`
    },

    /** Throws `NotOpened`. */
    open(sealed: string, place: string): string {
      const [keyName, encoded = ''] = sealed.split('.')
      const bytes = Buffer.from(encoded, 'base64')
      if (keyName !== name || bytes.length < NONCE_BYTES + TAG_BYTES) throw new NotOpened()
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString()
      } catch {
        throw new NotOpened()
      }
    },
  }
}
