/** Effects of an infected document, each once. */
import type { ReportFinding } from '../api/schema.ts'

const EFFECTS_MAX = 4
/** Parts that have no name of their own, such as `(object)`. */
const UNNAMED = /^\(.*\)$/

export interface Effect {
  text: string
  /** The files in an archive or mail that would have done it; empty for the document itself. */
  places: readonly string[]
}

/** Suspicious findings count only where nothing malicious was found, as with strict settings. */
export function effectsOf(findings: readonly ReportFinding[]): Effect[] {
  const malicious = findings.filter(({ severity }) => severity === 'malicious')
  const relevant = malicious.length > 0 ? malicious : findings.filter(({ severity }) => severity === 'suspicious')
  const places = new Map<string, Set<string>>()
  for (const { effect, path } of relevant) {
    if (effect === null) continue
    const known = places.get(effect) ?? new Set()
    const names = path.filter((part) => !UNNAMED.test(part))
    if (names.length > 0) known.add(names.join(' › '))
    places.set(effect, known)
  }
  return Array.from(places, ([text, found]) => ({ text, places: [...found] })).slice(0, EFFECTS_MAX)
}
