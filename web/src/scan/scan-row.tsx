/** One document in a line: its progress, its verdict, or the reason why there is none. */

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ApiProblem } from '../api/problem.ts'
import { ArticleLink } from '../components/article-link.tsx'
import { CodeText } from '../components/code-text.tsx'
import { FileText, X } from '../components/icons.tsx'
import { bytes } from '../format.ts'
import { LOOKS } from '../verdict/look.ts'
import { PasswordForm } from './password-form.tsx'
import { Bar } from './progress-bar.tsx'
import { isUsedUp, reasonOf } from './reason.ts'
import { outcomeOfItem, type ScanItem } from './scan-item.ts'
import { VerdictText } from './verdict-text.tsx'

/** Of documents, plans and accounts: another try changes nothing. */
const FINAL = new Set<string>([
  'empty_file',
  'file_too_large',
  'unsupported_content_type',
  'encrypted_document',
  'document_too_complex',
  'damaged_document',
  'key_limit_reached',
  'subscription_suspended',
])

/** The same document can only be refused again, for now. */
const isFinal = (problem: ApiProblem): boolean => FINAL.has(problem.code) || isUsedUp(problem)

interface ScanRowProps {
  item: ScanItem
  /** With the next steps, if it is the only one. */
  isAlone: boolean
  onRemove: () => void
  onRetry: (password?: string) => void
}

export function ScanRow({ item, isAlone, onRemove, onRetry }: ScanRowProps) {
  const { name, progress } = item
  const outcome = outcomeOfItem(item)
  const look = outcome && LOOKS[outcome]
  const Icon = look?.icon ?? FileText
  // Many clean documents need little room.
  const isPlain = outcome === null || (outcome === 'clean' && !isAlone)
  return (
    <li
      className={`anim-pop rounded-lg border px-4 ${isPlain ? 'border-line bg-surface py-1.5' : `py-3 ${look?.box}`}`}
    >
      <div className="flex flex-wrap items-start gap-x-3">
        <Icon size={20} className={`mt-1 shrink-0 ${look?.tone ?? 'text-fg-2'}`} aria-hidden />
        <div className="min-w-0 grow basis-0 py-1">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <p className="min-w-0 font-medium wrap-anywhere">{name}</p>
            {look && <p className={`text-sm font-medium ${look.tone}`}>{look.title}</p>}
          </div>
          <Text item={item} isAlone={isAlone} />
          {progress.phase === 'refused' && <Help item={item} onRetry={onRetry} />}
        </div>
        {progress.phase === 'done' && (
          // Below the text on small screens.
          <div className="max-sm:order-last max-sm:basis-full max-sm:pl-5">
            <Link href={`/history/${progress.result.scanId}`} className="btn btn-bare h-8 px-2.5">
              Open report<span className="sr-only"> of {name}</span>
            </Link>
          </div>
        )}
        <button type="button" className="btn-icon" onClick={onRemove}>
          <X size={16} aria-hidden />
          <span className="sr-only">{look ? `Remove ${name} from the list` : `Cancel ${name}`}</span>
        </button>
      </div>
      {!look && <Bar label={`Progress of ${name}`} percent={percentOf(item)} />}
      <p role="status" className="sr-only">
        {look && `${name}: ${look.title}`}
      </p>
    </li>
  )
}

function Text({ item, isAlone }: { item: ScanItem; isAlone: boolean }) {
  const { file, password, progress } = item
  if (progress.phase === 'done') return <VerdictText result={progress.result} isAlone={isAlone} />
  if (progress.phase === 'refused') {
    const { problem } = progress
    return (
      <Small>
        <CodeText text={reasonOf(problem, password !== undefined)} />
        {problem.requestId && !isFinal(problem) && (
          <span className="block text-xs">
            Request <code className="font-mono break-all">{problem.requestId}</code>
          </span>
        )}
      </Small>
    )
  }
  if (progress.phase === 'uploading')
    return <Small>{`Uploading ${bytes(progress.loadedBytes)} of ${bytes(file.size)}`}</Small>
  if (progress.phase === 'scanning') return <Small>Scanning for malware…</Small>
  return <Small>{progress.phase === 'paused' ? 'Waiting for the rate limit of your plan' : 'Waiting'}</Small>
}

const Small = ({ children }: { children: ReactNode }) => (
  <p className="text-sm wrap-anywhere text-fg-2 tabular-nums">{children}</p>
)

/** Actions for a document without a verdict. */
function Help({ item: { name, progress }, onRetry }: Pick<ScanRowProps, 'item' | 'onRetry'>) {
  if (progress.phase !== 'refused') return null
  const { problem } = progress
  const { code } = problem
  const hasPage = code !== 'network' && code !== 'unknown' && code !== 'quota_exhausted'
  return (
    <>
      {code === 'encrypted_document' && <PasswordForm fileName={name} onRetry={onRetry} />}
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {!isFinal(problem) && (
          <button type="button" className="btn btn-ghost h-8" onClick={() => onRetry()}>
            Try again<span className="sr-only"> with {name}</span>
          </button>
        )}
        {hasPage && <ArticleLink href={`/problems/${code}`} about={name} />}
      </p>
    </>
  )
}

/** Null while nothing is known but that it goes on. */
function percentOf({ file, progress }: ScanItem): number | null {
  if (progress.phase === 'waiting' || progress.phase === 'paused') return 0
  return progress.phase === 'uploading' ? Math.round((progress.loadedBytes / file.size) * 100) : null
}
