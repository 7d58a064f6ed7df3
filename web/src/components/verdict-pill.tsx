import type { ScanReport } from '../api/schema.ts'
import { LOOKS } from '../verdict/look.ts'
import { outcomeOf } from '../verdict/outcome.ts'

/** The verdict in a word. */
export function VerdictPill({ scan }: { scan: Pick<ScanReport, 'status' | 'threat' | 'fileSize'> }) {
  const { icon: Icon, label, pill } = LOOKS[outcomeOf(scan)]
  return (
    <span className={`pill whitespace-nowrap ${pill}`}>
      <Icon size={13} aria-hidden />
      {label}
    </span>
  )
}
