import { ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ScanReport } from '../api/schema.ts'

const LOOKS = {
  clean: { icon: ShieldCheck, label: 'Clean', tone: 'bg-ok-soft text-ok' },
  infected: { icon: ShieldAlert, label: 'Infected', tone: 'bg-bad-soft text-bad' },
  none: { icon: TriangleAlert, label: 'Not scanned', tone: 'bg-warn-soft text-warn' },
}

/** The verdict in a word. Green only for `clean`; a refused document has none. */
export function VerdictPill({ status }: { status: ScanReport['status'] }) {
  const { icon: Icon, label, tone } = LOOKS[status ?? 'none']
  return (
    <span className={`pill whitespace-nowrap ${tone}`}>
      <Icon size={13} aria-hidden />
      {label}
    </span>
  )
}
