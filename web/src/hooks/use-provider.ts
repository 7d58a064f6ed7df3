import { call } from '../api/client.ts'
import { leaveFor } from '../go-to.ts'
import { forgetQuery } from '../link-secret.ts'
import { useAction } from './use-action.ts'

interface Asked {
  provider: string
  returnTo: string
  inviteCode?: string
  password?: string
}

const OPERATIONS = {
  'sign-in': 'POST /api/v1/auth/oidc/{provider}/start',
  link: 'POST /api/v1/auth/oidc/{provider}/link',
  confirm: 'POST /api/v1/auth/oidc/{provider}/confirm',
} as const

/** Continues at the page of a provider, which leads back to `returnTo`. */
export function useProvider(purpose: keyof typeof OPERATIONS) {
  return useAction(async ({ provider, ...body }: Asked) => {
    const { url } = await call(OPERATIONS[purpose], { path: { provider }, body })
    if (purpose === 'sign-in') forgetQuery()
    leaveFor(url)
    // Keeps the button busy until the page of the provider is there.
    await new Promise(() => {})
  })
}
