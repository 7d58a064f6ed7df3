/** Saves the signed receipt of a scan as a file. */
import { call } from '../../api/client.ts'
import { Download } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { saveText } from '../../save-text.ts'

export function ReceiptButton({ scanId }: { scanId: string }) {
  const { run, isPending, problem } = useAction(async () => {
    const receipt = await call('GET /api/v1/scans/{scanId}/receipt', { path: { scanId } })
    saveText(`receipt-${scanId}.json`, 'application/json', `${JSON.stringify(receipt, null, 2)}\n`)
  })
  return (
    <div className="border-t border-line px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-lg text-sm text-fg-2">
          The receipt proves later that this document was scanned, when and with which result. It is signed and has no
          file name.
        </p>
        <button type="button" className="btn btn-ghost" disabled={isPending} onClick={() => run(undefined)}>
          <Download size={15} aria-hidden />
          Save receipt
        </button>
      </div>
      {problem && (
        <div className="mt-3">
          <ProblemBox problem={problem} what="The receipt could not be loaded." />
        </div>
      )}
    </div>
  )
}
