/** A failed request: what failed, why, its request id, and a way forward. */

import type { ApiProblem } from '../api/problem.ts'
import { CodeText } from './code-text.tsx'
import { CopyButton } from './copy-button.tsx'
import { CircleAlert } from './icons.tsx'

interface ProblemBoxProps {
  problem: ApiProblem
  /** The failed action, in the words of the page. The problem's title if left out. */
  what?: string
  retry?: () => unknown
}

export function ProblemBox({ problem, what = problem.title, retry }: ProblemBoxProps) {
  return (
    <div role="alert" className="flex gap-3 rounded-md border border-bad-line bg-bad-soft px-4 py-3 text-sm">
      <CircleAlert size={18} className="mt-0.5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-medium text-bad">{what}</p>
        <p className="mt-0.5 text-fg-2">
          <CodeText text={problem.detail} />
        </p>
        {problem.requestId !== undefined && <RequestId id={problem.requestId} />}
        {retry && (
          <button type="button" className="btn btn-ghost mt-3 h-8" onClick={() => retry()}>
            Try again
          </button>
        )}
      </div>
    </div>
  )
}

function RequestId({ id }: { id: string }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-1 text-xs text-fg-2">
      Request <code className="font-mono break-all">{id}</code>
      <CopyButton value={id} label="Copy request id" className="btn-icon size-6" />
    </p>
  )
}
