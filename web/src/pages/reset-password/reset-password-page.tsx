import { useState } from 'react'
import { InvalidLink } from './invalid-link.tsx'
import { ResetForm } from './reset-form.tsx'

/** The token is in the fragment of the mailed link, which browsers do not send to servers. */
function readLink(): { token: string; isFirst: boolean } {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  return { token, isFirst: new URLSearchParams(location.search).has('first') }
}

export default function ResetPasswordPage() {
  const [{ token, isFirst }] = useState(readLink)
  const [isInvalid, setInvalid] = useState(token === '')
  if (isInvalid) return <InvalidLink />
  return <ResetForm token={token} revokesByDefault={isFirst} onInvalid={() => setInvalid(true)} />
}
