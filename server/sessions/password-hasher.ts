/** Hashes passwords and verifies them, off the event loop, a few at a time. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createSemaphore, type Semaphore } from '#base/semaphore.ts'
import {
  type Cost,
  formatHash,
  isMadeWith,
  type PasswordHash,
  parseHash,
  SALT_BYTES,
  TAG_BYTES,
  TODAY,
} from './password-hash.ts'

/**
 * Hashes run in libuv's pool, which has four threads unless told otherwise, and files, DNS and other cryptography need it
 * too: half of it stays free. One core stays free as well, so that a flood of sign-ins never takes them all.
 */
const POOL_SHARE_MAX = 2
export const HASHES_AT_ONCE_MAX = Math.max(1, Math.min(POOL_SHARE_MAX, availableParallelism() - 1))
/** Some seconds of work: who would wait longer does better to come again. */
export const HASHES_WAITING_MAX = 64
const BUSY_RETRY_SECONDS = 2

export interface HasherOptions {
  log: Log
  cost?: Cost
  atOnceMax?: number
  waitingMax?: number
}

export interface Verified {
  ok: boolean
  /** The password is right, but its hash was made at another cost: the time to make a new one. */
  rehash: boolean
}

export interface Hasher {
  /** For a password that passed `checkPassword`. */
  hash(password: string, signal?: AbortSignal): Promise<string>
  /** `stored` is null where there is no account or no password: that takes as long, and is never right. */
  verify(stored: string | null, password: string, signal?: AbortSignal): Promise<Verified>
  load: Semaphore['load']
}

const tooManySignIns = (): AppError =>
  new AppError('busy', 'Too many people are signing in at the moment. Try again shortly.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  })

function derive(password: string, salt: Buffer, tagBytes: number, cost: Cost): Promise<Buffer> {
  const parameters = {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    tagLength: tagBytes,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.parallelism,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
  })
}

export function createHasher({
  log,
  cost = TODAY,
  atOnceMax = HASHES_AT_ONCE_MAX,
  waitingMax = HASHES_WAITING_MAX,
}: HasherOptions): Hasher {
  const semaphore = createSemaphore({ runningMax: atOnceMax, queuedMax: waitingMax, refusal: tooManySignIns })
  const dummy: PasswordHash = { ...cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

  function read(stored: string | null): PasswordHash | null {
    const hash = stored === null ? null : parseHash(stored)
    if (stored !== null && hash === null) log.error('A stored password hash cannot be read; a reset replaces it')
    return hash
  }

  return {
    async hash(password, signal) {
      // Halves of surrogate pairs all become the same bytes, so that one password would open for another.
      if (!password.isWellFormed()) throw new TypeError('The password is not well-formed')
      const salt = randomBytes(SALT_BYTES)
      const tag = await semaphore.run(() => derive(password, salt, TAG_BYTES, cost), { signal })
      return formatHash({ ...cost, salt, tag })
    },

    async verify(stored, password, signal) {
      const known = read(stored)
      const hash = known ?? dummy
      const tag = await semaphore.run(() => derive(password, hash.salt, hash.tag.length, hash), { signal })
      const ok = timingSafeEqual(tag, hash.tag) && known !== null && password.isWellFormed()
      return { ok, rehash: ok && !isMadeWith(hash, cost) }
    },

    load: semaphore.load,
  }
}
