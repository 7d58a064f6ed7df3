interface BarProps {
  label: string
  /** Null while nothing is known but that it goes on. */
  percent: number | null
}

export function Bar({ label, percent }: BarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="track mt-2 h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      {percent === null ? (
        <div className="bar anim-scan h-full w-1/3 rounded-full bg-accent" />
      ) : (
        <div className="bar h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
      )}
    </div>
  )
}
