import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

export function DeleteAccountCard() {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card
      title="Delete account"
      lead="Erases your account and everything that is stored about you. This cannot be undone."
    >
      <div className="px-5 pt-4 pb-5">
        <button type="button" className="btn btn-ghost text-bad" onClick={() => setAsking(true)}>
          Delete account…
        </button>
      </div>
      {isAsking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </Card>
  )
}
