/** Gives a key a new secret, and shows it once. */
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { keysQuery, usageQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { ApiKeySummary } from '../../api/schema.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useAction } from '../../hooks/use-action.ts'

const GRACES: readonly { seconds: number; label: string }[] = [
  { seconds: 86_400, label: 'After a day' },
  { seconds: 604_800, label: 'After 7 days' },
  { seconds: 3_600, label: 'After an hour' },
  { seconds: 0, label: 'At once' },
]

export function RollKeyDialog({ apiKey, onClose }: { apiKey: ApiKeySummary; onClose: () => void }) {
  const { id, name } = apiKey
  const [seconds, setSeconds] = useState('86400')
  const { run, isPending, problem, result } = useAction(async () => {
    const rolled = await call('POST /api/v1/keys/{id}/roll', { path: { id }, body: { graceSeconds: Number(seconds) } })
    refresh(keysQuery, usageQuery)
    return rolled
  })
  if (result)
    return <ShownOnce noun="key" value={result.apiKey} remedy="If you lose it, roll the key again." onClose={onClose} />
  return (
    <Dialog
      title={`Roll “${name}”?`}
      lead="The key gets a new secret. Its name, limits, quota and reports stay. Put the new secret into your program before the old one ends."
      onClose={onClose}
    >
      {problem && (
        <div className="mt-4">
          <ProblemBox problem={problem} what="The key was not rolled." />
        </div>
      )}
      <div className="mt-5">
        <SelectField label="The old secret ends" value={seconds} onChange={setSeconds}>
          {GRACES.map((grace) => (
            <option key={grace.seconds} value={grace.seconds}>
              {grace.label}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
          Keep the secret
        </button>
        <button type="button" className="btn btn-primary" disabled={isPending} onClick={() => run(undefined)}>
          {isPending ? 'Rolling…' : 'Roll key'}
        </button>
      </div>
    </Dialog>
  )
}
