/** A filled bar: blue, then amber from 80 percent, then red when full. */

const WARN_FROM = 0.8

interface MeterProps {
  label: string
  value: number
  max: number
  /** A share of something that has no limit: always blue. */
  isNeutral?: boolean
  className?: string
}

function toneOf(share: number): string {
  if (share >= 1) return 'bg-bad-solid'
  return share >= WARN_FROM ? 'bg-warn' : 'bg-accent-bar'
}

export function Meter({ label, value, max, isNeutral = false, className = 'h-2' }: MeterProps) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in their own, different ways
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={`${value} of ${max}`}
      className={`track overflow-hidden rounded-full bg-sunken ${className}`}
    >
      <div
        className={`bar h-full rounded-full ${isNeutral ? 'bg-accent-bar' : toneOf(share)}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
