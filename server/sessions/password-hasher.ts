/** Hashes and verifies passwords off the event loop, with limited concurrency. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createSemaphore } from '#base/semaphore.ts'
import {
  type Cost,
  CURRENT_COST,
  formatHash,
  hasCost,
  type PasswordHash,
  parseHash,
  SALT_BYTES,
  TAG_BYTES,
} from './password-hash.ts'

/** Half of the four threads of libuv's pool, which files, DNS and other cryptography need too. */
const POOL_SHARE_MAX = 2
/** One core stays free, so that a flood of sign-ins cannot occupy all of them. */
export const HASHES_RUNNING_MAX = Math.max(1, Math.min(POOL_SHARE_MAX, availableParallelism() - 1))
/** A few seconds of work. */
export const HASHES_QUEUED_MAX = 64
const BUSY_RETRY_SECONDS = 2

interface HasherOptions {
  log: Log
  cost?: Cost
  runningMax?: number
}

export type Hasher = ReturnType<typeof createHasher>

const tooManySignIns = (): AppError =>
  new AppError('busy', 'Too many sign-ins are in progress. Try again shortly.', {
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

export function createHasher({ log, cost = CURRENT_COST, runningMax = HASHES_RUNNING_MAX }: HasherOptions) {
  const semaphore = createSemaphore({ runningMax, queuedMax: HASHES_QUEUED_MAX, refusal: tooManySignIns })
  const dummy: PasswordHash = { ...cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

  function parse(stored: string | null): PasswordHash | null {
    const hash = stored === null ? null : parseHash(stored)
    if (stored !== null && hash === null)
      log.error('Invalid password hash in the database; a password reset replaces it')
    return hash
  }

  return {
    /** The password must have passed `checkPassword`. */
    async hash(password: string, signal?: AbortSignal): Promise<string> {
      // Unpaired surrogates all encode to the same bytes, so different passwords would match.
      if (!password.isWellFormed()) throw new TypeError('The password is not well-formed Unicode')
      const salt = randomBytes(SALT_BYTES)
      const tag = await semaphore.run(() => derive(password, salt, TAG_BYTES, cost), { signal })
      return formatHash({ ...cost, salt, tag })
    },

    /**
     * `stored` is null without an account or password. That takes equally long and never succeeds. `rehash` means that
     * the password is right, but its hash has outdated parameters.
     */
    async verify(stored: string | null, password: string, signal?: AbortSignal) {
      const known = parse(stored)
      const hash = known ?? dummy
      const tag = await semaphore.run(() => derive(password, hash.salt, hash.tag.length, hash), { signal })
      const ok = timingSafeEqual(tag, hash.tag) && known !== null && password.isWellFormed()
      return { ok, rehash: ok && !hasCost(hash, cost) }
    },

    load: semaphore.load,
  }
}
