/** A document without a verdict, in amber: it is neither clean nor infected. */
import { TriangleAlert } from 'lucide-react'
import type { ApiProblem } from '../api/problem.ts'
import { CodeText } from '../components/code-text.tsx'
import { PasswordForm } from './password-form.tsx'

/** Where the same document can only be refused again. */
const FINAL = new Set<string>([
  'empty_file',
  'file_too_large',
  'unsupported_content_type',
  'encrypted_document',
  'document_too_complex',
  'damaged_document',
])

interface NotScannedProps {
  fileName: string
  problem: ApiProblem
  onRetry: (password?: string) => void
  onRemove: () => void
}

export function NotScanned({ fileName, problem, onRetry, onRemove }: NotScannedProps) {
  const { code, title, detail, requestId } = problem
  return (
    <div className="anim-pop flex gap-4 rounded-md border border-warn-line bg-warn-soft px-4 py-3">
      <TriangleAlert size={22} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      <div className="min-w-0 grow">
        <h2 className="text-lg font-semibold text-warn">
          Not scanned: {code === 'network' ? 'upload interrupted' : title}
        </h2>
        <p className="text-sm wrap-anywhere text-fg-2">
          <b className="font-medium text-fg">{fileName}</b> has no verdict. <CodeText text={detail} />
        </p>
        {requestId && (
          <p className="mt-1 text-xs text-fg-2">
            Request <code className="font-mono break-all">{requestId}</code>
          </p>
        )}
        {code === 'encrypted_document' && <PasswordForm fileName={fileName} onRetry={onRetry} />}
        <div className="mt-3 flex flex-wrap gap-2">
          {!FINAL.has(code) && (
            <button type="button" className="btn btn-ghost h-8" onClick={() => onRetry()}>
              Try again
            </button>
          )}
          <a
            href={`/problems/${code}`}
            className={`btn btn-ghost h-8 ${code === 'network' || code === 'unknown' ? 'hidden' : ''}`}
          >
            What this means
          </a>
          <button type="button" className="btn btn-bare h-8" onClick={onRemove}>
            Remove<span className="sr-only"> {fileName} from the list</span>
          </button>
        </div>
      </div>
    </div>
  )
}
