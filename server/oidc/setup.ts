/** Wires sign-in with providers. */
import { createLinking, type LinkingOptions } from './linking.ts'
import { createOidcSignIn } from './sign-in.ts'
import { createWays } from './ways.ts'

type SignInOptions = Parameters<typeof createOidcSignIn>[0]

type Options = LinkingOptions &
  Omit<SignInOptions, 'linking' | 'identifySession'> &
  Pick<Parameters<typeof createWays>[0], 'hasPasswords' | 'passkeys'>

export function setUpOidc(options: Options) {
  const linking = createLinking(options)
  return {
    signIn: createOidcSignIn({ ...options, linking, identifySession: options.sessions.identify }),
    ways: createWays(options),
  }
}
