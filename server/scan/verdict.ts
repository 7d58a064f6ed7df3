/** From what the engines say to what we say. Pure. The only place in which `clean` comes into being. */

export type Obstacle = 'encrypted' | 'too_complex' | 'damaged'

/** What one engine said; the same shape that engines give, seen from here. */
export interface EngineReport {
  engine: string
  outcome:
    | { kind: 'clean' }
    | { kind: 'detected'; threat: string; path: readonly string[] }
    | { kind: 'unscannable'; obstacle: Obstacle; detail: string }
    | { kind: 'failed'; late: boolean; detail: string }
}

export type Verdict =
  | { kind: 'clean' }
  | { kind: 'infected'; threat: string; engine: string; path: readonly string[] }
  | { kind: 'unscannable'; obstacle: Obstacle; detail: string; engine: string }
  | { kind: 'failed'; late: boolean; engines: readonly string[] }

/** What an operator makes of a document that cannot be looked into. */
export type UnscannablePolicy = 'refuse' | 'infected' | 'clean'

const of = <K extends EngineReport['outcome']['kind']>(reports: readonly EngineReport[], kind: K) =>
  reports.filter((report): report is EngineReport & { outcome: { kind: K } } => report.outcome.kind === kind)

/**
 * A threat outweighs everything; then a failure, because an engine that did not look could have found one; then an
 * obstacle. Clean is what every one of `required` engines said, explicitly, and never what is left when nothing was said.
 */
export function decide(
  reports: readonly EngineReport[],
  required: readonly string[],
  policy: UnscannablePolicy = 'refuse',
): Verdict {
  const detected = of(reports, 'detected')[0]
  if (detected) {
    const { threat, path } = detected.outcome
    return { kind: 'infected', threat, path, engine: detected.engine }
  }
  const failed = of(reports, 'failed')
  const missing = required.filter((name) => !reports.some((report) => report.engine === name))
  if (failed.length > 0 || missing.length > 0 || required.length === 0) {
    const late = failed.length > 0 && failed.every(({ outcome }) => outcome.late) && missing.length === 0
    return { kind: 'failed', late, engines: [...failed.map(({ engine }) => engine), ...missing] }
  }
  const unscannable = of(reports, 'unscannable')[0]
  if (unscannable && policy !== 'clean') {
    const { obstacle, detail } = unscannable.outcome
    if (policy === 'refuse') return { kind: 'unscannable', obstacle, detail, engine: unscannable.engine }
    return { kind: 'infected', threat: THREAT_OF[obstacle], path: [], engine: unscannable.engine }
  }
  // Said by each of them, word for word: an outcome of a kind that nobody knows yet is not clean.
  const clean = reports.every(
    ({ outcome }) => outcome.kind === 'clean' || (outcome.kind === 'unscannable' && policy === 'clean'),
  )
  return clean ? { kind: 'clean' } : { kind: 'failed', late: false, engines: reports.map(({ engine }) => engine) }
}

/** The names under which an operator who wants no 422 sees them. */
const THREAT_OF: Record<Obstacle, string> = {
  encrypted: 'Docvet.Unscannable.Encrypted',
  too_complex: 'Docvet.Unscannable.TooComplex',
  damaged: 'Docvet.Unscannable.Damaged',
}
