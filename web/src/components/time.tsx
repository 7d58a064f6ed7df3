import { ago, capitalized, date, time, utc } from '../format.ts'

const SHOWN = { time, date, ago: (iso: string) => capitalized(ago(iso)) }

interface TimeProps {
  iso: string
  as?: keyof typeof SHOWN
}

/** A time where the reader lives; in UTC while the mouse is on it. */
export function Time({ iso, as = 'time' }: TimeProps) {
  return (
    <time dateTime={iso} title={as === 'ago' ? `${time(iso)} (${utc(iso)})` : utc(iso)}>
      {SHOWN[as](iso)}
    </time>
  )
}
