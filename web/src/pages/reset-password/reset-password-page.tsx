import { useState } from 'react'
import { takeSecret } from '../../link-secret.ts'
import { InvalidLink } from './invalid-link.tsx'
import { ResetForm } from './reset-form.tsx'

function readLink(): { token: string; isFirst: boolean } {
  return { token: takeSecret('token'), isFirst: new URLSearchParams(location.search).has('first') }
}

export default function ResetPasswordPage() {
  const [{ token, isFirst }] = useState(readLink)
  const [isInvalid, setInvalid] = useState(token === '')
  if (isInvalid) return <InvalidLink />
  return <ResetForm token={token} revokesByDefault={isFirst} onInvalid={() => setInvalid(true)} />
}
