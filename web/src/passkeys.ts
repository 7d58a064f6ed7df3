/** Asks the browser for a passkey, and the service whether it is accepted. */
import { call } from './api/client.ts'
import { ApiProblem } from './api/problem.ts'

const encode = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const CANCELLED = 'No passkey was used: you closed the window of your browser, or it took too long. Try again.'
const SENTENCES: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey of your account.',
  NotSupportedError: 'This device cannot create a passkey that checks who you are, as by a fingerprint or a PIN.',
}

/** Old browsers have no passkeys, and pages without https have none either. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let detail = CANCELLED
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    detail = SENTENCES[error instanceof DOMException ? error.name : ''] ?? CANCELLED
  }
  throw new ApiProblem({ status: 0, code: 'invalid_request', title: 'No passkey', detail })
}

async function proof() {
  const { state, options } = await call('POST /api/v1/auth/passkeys/sign-in-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const { rawId, response } = await asked(() => navigator.credentials.get({ publicKey }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    state,
    credential: {
      ...{ id: encode(rawId), clientDataJSON: encode(clientDataJSON), signature: encode(signature) },
      ...{ authenticatorData: encode(authenticatorData), userHandle: encode(userHandle ?? new ArrayBuffer(0)) },
    },
  }
}

export const signInWithPasskey = async () => call('POST /api/v1/auth/passkeys/sign-in', { body: await proof() })

/** Proves that the owner of the session is there. */
export const confirmWithPasskey = async () => call('POST /api/v1/auth/passkeys/confirm', { body: await proof() })

export async function addPasskey(name: string, password: string) {
  const body = { ...(password !== '' && { password }) }
  const { state, options } = await call('POST /api/v1/auth/passkeys/options', { body })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const { rawId, response } = await asked(() => navigator.credentials.create({ publicKey }))
  const { clientDataJSON, attestationObject, getTransports } = response as AuthenticatorAttestationResponse
  const credential = {
    ...{ id: encode(rawId), clientDataJSON: encode(clientDataJSON), attestationObject: encode(attestationObject) },
    transports: getTransports.call(response),
  }
  return await call('POST /api/v1/auth/passkeys', { body: { state, credential, name } })
}
