/** Signs the sandbox's calls to our webhook, with a key that lives as long as this process. */
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose'

export const SANDBOX_TENANT = 'sandbox'
export const SANDBOX_AUDIENCE = 'docvet'
export const SANDBOX_CALLER = 'sandbox-marketplace'
const LIFE = '5 minutes'

export interface Signer {
  keys: JWTVerifyGetKey
  sign(): Promise<string>
}

export function createSigner(issuer: string): Signer {
  // Made when it is first needed: most processes never sell anything.
  let made: ReturnType<typeof make> | null = null
  async function make() {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(publicKey)), kid: SANDBOX_TENANT, alg: 'RS256' }
    return { privateKey, local: createLocalJWKSet({ keys: [jwk] }) }
  }
  const pair = () => {
    made ??= make()
    return made
  }

  return {
    keys: async (header, token) => (await pair()).local(header, token),
    async sign() {
      const { privateKey } = await pair()
      return await new SignJWT({ tid: SANDBOX_TENANT, azp: SANDBOX_CALLER })
        .setProtectedHeader({ alg: 'RS256', kid: SANDBOX_TENANT, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(SANDBOX_AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(LIFE)
        .sign(privateKey)
    },
  }
}
