/** The verdict at the top of a report. Green only for `clean`; a refused document has none. */
import { type LucideIcon, ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ScanReport } from '../../api/schema.ts'

const OBSTACLES: Readonly<Record<NonNullable<ScanReport['obstacle']>, { reason: string; code: string }>> = {
  encrypted: {
    reason: 'It is protected with a password, so its content could not be scanned.',
    code: 'encrypted_document',
  },
  too_complex: {
    reason: 'It is nested too deep or expands too much to be scanned completely.',
    code: 'document_too_complex',
  },
  damaged: { reason: 'Its structure cannot be read.', code: 'damaged_document' },
}

interface Look {
  icon: LucideIcon
  title: string
  text: string
  box: string
  badge: string
  tone: string
}

function lookOf({ status, obstacle }: ScanReport): Look {
  if (status === 'clean') {
    return {
      ...{ icon: ShieldCheck, title: 'No malware found', text: 'Every engine inspected the whole document.' },
      ...{ box: 'border-ok-line bg-ok-soft', badge: 'bg-ok text-surface', tone: 'text-ok' },
    }
  }
  if (status === 'infected') {
    return {
      ...{ icon: ShieldAlert, title: 'Malware found', text: 'Do not open this document.' },
      ...{ box: 'border-bad-line bg-bad-soft', badge: 'bg-bad-solid text-on-bad', tone: 'text-bad' },
    }
  }
  const reason = obstacle === null ? '' : OBSTACLES[obstacle].reason
  return {
    ...{ icon: TriangleAlert, title: 'Not scanned', text: `The document was refused and has no verdict. ${reason}` },
    ...{ box: 'border-warn-line bg-warn-soft', badge: 'bg-warn text-surface', tone: 'text-warn' },
  }
}

export function ReportVerdict({ scan }: { scan: ScanReport }) {
  const { icon: Icon, title, text, box, badge, tone } = lookOf(scan)
  const { fileName, obstacle } = scan
  return (
    <section className={`flex items-start gap-4 rounded-lg border px-5 py-4 ${box}`} aria-label="Verdict">
      <span className={`grid size-11 shrink-0 place-items-center rounded-full ${badge}`}>
        <Icon size={22} aria-hidden />
      </span>
      <div className="min-w-0">
        <h2 className={`text-xl font-semibold tracking-[-0.01em] ${tone}`}>{title}</h2>
        <p className="font-medium wrap-anywhere">{fileName ?? 'Unnamed document'}</p>
        <p className="mt-0.5 text-sm text-fg-2">{text}</p>
        {obstacle !== null && (
          <a
            href={`/problems/${OBSTACLES[obstacle].code}`}
            className="link mt-1 inline-flex min-h-6 items-center text-sm"
          >
            What this means
          </a>
        )}
      </div>
    </section>
  )
}
