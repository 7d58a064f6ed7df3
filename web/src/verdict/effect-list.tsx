import type { ReportFinding } from '../api/schema.ts'
import { type Effect, effectsOf } from './effects.ts'

const PLACES_MAX = 3

function placeOf({ places }: Effect): string {
  const more = places.length - PLACES_MAX
  return `${places.slice(0, PLACES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** In plain sentences; the technical findings are elsewhere. */
export function EffectList({ findings }: { findings: readonly ReportFinding[] }) {
  return (
    <ul className="grid gap-2" aria-label="What it would have done">
      {effectsOf(findings).map((effect) => (
        <li key={effect.text}>
          {effect.text}
          {effect.places.length > 0 && (
            <span className="block text-sm wrap-anywhere text-fg-2">Found in {placeOf(effect)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
