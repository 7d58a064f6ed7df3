/** How each outcome of a scan looks. Green only for `clean`; a refused document has no verdict. */
import { FlaskConical, Hourglass, type Icon, ShieldAlert, ShieldCheck, TriangleAlert } from '../components/icons.tsx'
import type { Outcome } from './outcome.ts'

interface Look {
  icon: Icon
  /** In a word. */
  label: string
  title: string
  tone: string
  pill: string
  box: string
  badge: string
}

export const LOOKS: Readonly<Record<Outcome, Look>> = {
  clean: {
    icon: ShieldCheck,
    label: 'Clean',
    title: 'No malware found',
    tone: 'text-ok',
    pill: 'bg-ok-soft text-ok',
    box: 'border-ok-line bg-ok-soft',
    badge: 'bg-ok text-surface',
  },
  infected: {
    icon: ShieldAlert,
    label: 'Infected',
    title: 'Malware found',
    tone: 'text-bad',
    pill: 'bg-bad-soft text-bad',
    box: 'border-bad-line bg-bad-soft',
    badge: 'bg-bad-solid text-on-bad',
  },
  test: {
    icon: FlaskConical,
    label: 'Test file',
    title: 'Harmless test file',
    tone: 'text-accent',
    pill: 'bg-accent-soft text-accent',
    box: 'border-line bg-accent-soft',
    badge: 'bg-accent text-on-accent',
  },
  none: {
    icon: TriangleAlert,
    label: 'Not scanned',
    title: 'Not scanned',
    tone: 'text-warn',
    pill: 'bg-warn-soft text-warn',
    box: 'border-warn-line bg-warn-soft',
    badge: 'bg-warn text-surface',
  },
  open: {
    icon: Hourglass,
    label: 'In progress',
    title: 'Scan in progress',
    tone: 'text-fg-2',
    pill: 'bg-sunken text-fg-2',
    box: 'border-line bg-surface',
    badge: 'bg-sunken text-fg-2',
  },
}
