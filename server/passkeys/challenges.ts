/** Challenges that passkeys sign: sealed for the browser, so that asking for one stores nothing. An answered one is remembered. */
import { hash, randomBytes } from 'node:crypto'
import { NotOpened, type Seal } from '#base/seal.ts'

export const CHALLENGE_MS = 5 * 60 * 1_000
const CHALLENGE_BYTES = 32

export interface Challenge {
  challenge: string
  /** Milliseconds since 1970. */
  at: number
  /** Of a new passkey: the session that asked, and how the authenticator names its owner. */
  sessionId?: string
  handle?: string
}

export type Purpose = 'sign-in' | 'add'

const placeOf = (purpose: Purpose): string => `challenge of a passkey to ${purpose}`

export const spentHash = ({ challenge }: Challenge): string => hash('sha256', challenge, 'hex')

export function createChallenges(seal: Seal) {
  return {
    begin(purpose: Purpose, of: Pick<Challenge, 'sessionId' | 'handle'> = {}) {
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
      const sealed = seal.close(JSON.stringify({ challenge, at: Date.now(), ...of }), placeOf(purpose))
      return { challenge, state: Buffer.from(sealed).toString('base64url') }
    },

    /** Null if it was made for something else, by somebody else, or too long ago. */
    open(purpose: Purpose, state: string): Challenge | null {
      try {
        const opened = JSON.parse(seal.open(Buffer.from(state, 'base64url').toString(), placeOf(purpose))) as Challenge
        return Date.now() - opened.at <= CHALLENGE_MS ? opened : null
      } catch (error) {
        if (error instanceof NotOpened) return null
        throw error
      }
    },
  }
}
