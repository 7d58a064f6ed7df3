/** What is asked of an authenticator, and the verification of its answers, by `@simplewebauthn/server`. Pure. */
import type * as Library from '@simplewebauthn/server'
import type { Static } from 'typebox'
import { CHALLENGE_MS } from './challenges.ts'
import type { Assertion, Attestation } from './schema.ts'

/** EdDSA, ES256 and RS256, by their numbers in COSE. */
const ALGORITHMS = [-8, -7, -257]
const SELECTION = { residentKey: 'required', userVerification: 'required' } as const

export interface Site {
  /** The host of the public URL: a passkey belongs to it for ever. */
  rpId: string
  origin: string
}

interface Known {
  credentialId: string
  publicKey: string
  transports: readonly string[]
}

/** Loaded when the first passkey is used: most installations need not have it in memory. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

const transportsOf = (names: readonly string[]) => names.map((name) => name as Library.AuthenticatorTransport)

export async function askForSignIn({ rpId }: Site, challenge: string) {
  const { generateAuthenticationOptions } = await library()
  return await generateAuthenticationOptions({
    ...{ rpID: rpId, challenge: Buffer.from(challenge, 'base64url'), userVerification: 'required' },
    timeout: CHALLENGE_MS,
  })
}

export async function askForPasskey(
  { rpId }: Site,
  { challenge, handle, email, existing }: { challenge: string; handle: string; email: string; existing: Known[] },
) {
  const { generateRegistrationOptions } = await library()
  return await generateRegistrationOptions({
    ...{ rpName: 'Docvet', rpID: rpId, userName: email, userDisplayName: email, timeout: CHALLENGE_MS },
    userID: Buffer.from(handle, 'base64url'),
    challenge: Buffer.from(challenge, 'base64url'),
    attestationType: 'none',
    authenticatorSelection: SELECTION,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports: [...transports] })),
  })
}

/** The library reads certificates of the other kinds, and calls the addresses in them. None was asked for. */
async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** Null for an answer that does not prove what it must, whatever is wrong with it. */
async function orNull<T>(work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work()
  } catch {
    return null
  }
}

export function verifyNew({ rpId, origin }: Site, challenge: string, given: Static<typeof Attestation>) {
  return orNull(async () => {
    const { id, clientDataJSON, attestationObject, transports } = given
    if (!(await isPlain(attestationObject))) return null
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
      supportedAlgorithmIDs: ALGORITHMS,
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject, transports: transportsOf(transports) },
      },
    })
    if (!verified || registrationInfo.credential.id !== id) return null
    const { credential, credentialBackedUp: isBackedUp } = registrationInfo
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { credentialId: credential.id, publicKey, counter: credential.counter, isBackedUp }
  })
}

/** The counter is compared by the caller, in the transaction that stores it. */
export function verifySignature(
  { rpId, origin }: Site,
  challenge: string,
  given: Static<typeof Assertion>,
  { credentialId, publicKey }: Known,
) {
  return orNull(async () => {
    const { id, clientDataJSON, authenticatorData, signature, userHandle } = given
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
      credential: { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature, userHandle },
      },
    })
    return verified
      ? { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
      : null
  })
}
