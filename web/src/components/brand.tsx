/** The mark and the name. */

export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" fill="none" strokeLinejoin="round">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M10.5 7.5h7.5l4.5 4.5v12.5h-12z" className="stroke-on-accent" strokeWidth="2" />
      <path d="M6.5 17h19" className="stroke-on-accent" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  )
}

export function Brand() {
  return (
    <span className="flex items-center gap-2.5 font-semibold tracking-[-0.01em]">
      <Mark />
      Docvet
    </span>
  )
}
