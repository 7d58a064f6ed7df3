/** Findings by the part of the document that contains them, each with its article. */
import type { FindingSeverity, ReportFinding } from '../api/schema.ts'
import { ArticleLink } from './article-link.tsx'

const LOOKS: Readonly<Record<FindingSeverity, { label: string; tone: string }>> = {
  malicious: { label: 'Malicious', tone: 'bg-bad-soft text-bad' },
  suspicious: { label: 'Suspicious', tone: 'bg-warn-soft text-warn' },
  notice: { label: 'Notice', tone: 'bg-sunken text-fg-2' },
}

function byPart(findings: readonly ReportFinding[]): [string, ReportFinding[]][] {
  const parts = new Map<string, ReportFinding[]>()
  for (const finding of findings) {
    const part = finding.path.join(' › ')
    parts.set(part, [...(parts.get(part) ?? []), finding])
  }
  return [...parts]
}

export function FindingList({ findings }: { findings: readonly ReportFinding[] }) {
  return (
    <ul className="divide-y divide-line text-sm" aria-label="Findings">
      {byPart(findings).map(([part, inPart]) => (
        <li key={part} className="px-5 py-3">
          <p className="wrap-anywhere text-fg-2">{part === '' ? 'In the document itself' : `In ${part}`}</p>
          <ul className="mt-2 grid gap-3">
            {inPart.map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes, and may name a finding twice
              <Finding key={index} finding={finding} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function Finding({ finding }: { finding: ReportFinding }) {
  const { id, severity, title, reason, detail, technique, engine, article } = finding
  const { label, tone } = LOOKS[severity]
  const facts = [detail, technique, engine && `engine ${engine}`].filter(Boolean).join(' · ')
  return (
    <li>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={`pill ${tone}`}>{label}</span>
        <b className="font-medium wrap-anywhere">{title}</b>
        {title !== id && <code className="font-mono text-xs wrap-anywhere text-fg-2">{id}</code>}
      </p>
      <p className="mt-0.5 wrap-anywhere">
        {reason}{' '}
        {article !== null && (
          // The page of this server, also where the dashboard is open under another name of it.
          <ArticleLink href={`/findings/${encodeURIComponent(id)}`} about={title} />
        )}
      </p>
      {facts !== '' && <p className="text-xs wrap-anywhere text-fg-2">{facts}</p>}
    </li>
  )
}
