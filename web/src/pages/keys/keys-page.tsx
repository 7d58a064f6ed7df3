import { useState } from 'react'
import { Plus } from '../../components/icons.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeysCard } from './keys-card.tsx'
import { ProvenNotice } from './proven-notice.tsx'

export default function KeysPage() {
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHead title="API keys" lead="Use one key per application, so that each can be revoked on its own.">
        <button type="button" className="btn btn-primary" onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden />
          Create key
        </button>
      </PageHead>
      <ProvenNotice />
      <KeysCard />
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  )
}
