/** Scans per day as bars. The arrow keys read them out; a table with the same numbers is beside it. */
import { type KeyboardEvent, useState } from 'react'
import type { DayUsage } from '../api/schema.ts'
import { count, day } from '../format.ts'

const HEIGHT = 'h-[180px]'
const LABEL_EVERY = 5
const NICE = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]
const TOP_MIN = 4
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** A round number at or above the largest value, whose half is whole. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const fits = (factor: number) => factor * power >= value && Number.isInteger((factor * power) / 2)
  return (NICE.find(fits) ?? 10) * power
}

const short = (value: number): string => (value >= 1_000 ? `${+(value / 1_000).toFixed(1)}k` : `${value}`)

/** Every fifth day and the last one. */
function isLabelled(index: number, length: number): boolean {
  return index === length - 1 || (index % LABEL_EVERY === 0 && index < length - 2)
}

const scansOf = ({ date, scansUsed }: DayUsage): string =>
  `${day(date)}: ${count(scansUsed)} ${scansUsed === 1 ? 'scan' : 'scans'}`

export function DayChart({ days }: { days: readonly DayUsage[] }) {
  const [active, setActive] = useState<number | null>(null)
  const top = roundUp(Math.max(TOP_MIN, ...days.map(({ scansUsed }) => scansUsed)))
  const shown = active === null ? undefined : days[active]

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (event.key === 'Escape') setActive(null)
    if (step === undefined) return
    event.preventDefault()
    const from = active ?? (step > 0 ? -1 : days.length)
    setActive(Math.max(0, Math.min(days.length - 1, from + step)))
  }

  return (
    <div className="px-5 pt-4 pb-4">
      <div
        role="application"
        aria-roledescription="bar chart"
        aria-label="Scans per day. Use the left and right arrow keys to read each day, or show the table."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the chart
        tabIndex={0}
        className="flex gap-2 rounded-sm outline-offset-4"
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
      >
        <Scale top={top} />
        <div className="relative min-w-0 grow">
          <div className={`relative flex ${HEIGHT} items-end border-b border-line-strong`}>
            <div aria-hidden="true" className="absolute inset-x-0 top-0 border-t border-dashed border-line" />
            <div aria-hidden="true" className="absolute inset-x-0 top-1/2 border-t border-dashed border-line" />
            {days.map(({ date, scansUsed }, index) => (
              <div
                key={date}
                className={`relative flex h-full grow basis-0 items-end justify-center ${index === active ? 'bg-sunken' : ''}`}
                onPointerEnter={() => setActive(index)}
              >
                <div
                  className={`bar w-[66%] max-w-[22px] rounded-t-[3px] bg-accent-bar ${scansUsed > 0 ? 'min-h-[3px]' : ''}`}
                  style={{ height: `${(scansUsed / top) * 100}%` }}
                />
              </div>
            ))}
          </div>
          <div aria-hidden="true" className="flex h-6 items-end text-xs text-fg-3 tabular-nums">
            {days.map(({ date }, index) => (
              <span key={date} className="flex w-0 grow basis-0 justify-center whitespace-nowrap">
                {isLabelled(index, days.length) && (index === 0 ? day(date) : Number(date.slice(8)))}
              </span>
            ))}
          </div>
          {shown && active !== null && <Tip day={shown} share={active / days.length} />}
        </div>
      </div>
      <p role="status" className="sr-only">
        {shown && scansOf(shown)}
      </p>
    </div>
  )
}

function Scale({ top }: { top: number }) {
  return (
    <div
      aria-hidden="true"
      className={`flex ${HEIGHT} w-7 shrink-0 flex-col justify-between text-right text-xs text-fg-3 tabular-nums`}
    >
      <span className="-mt-2.5">{short(top)}</span>
      <span>{short(top / 2)}</span>
      <span className="-mb-2.5">0</span>
    </div>
  )
}

const CENTRE = 0.5

/** Beside the bar, on the side with more room. */
function Tip({ day: { date, scansUsed }, share }: { day: DayUsage; share: number }) {
  const side =
    share < CENTRE ? { left: `calc(${share * 100}% + 28px)` } : { right: `calc(${(1 - share) * 100}% + 6px)` }
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-2 z-10 rounded-md border border-line bg-raised px-3 py-2 text-xs whitespace-nowrap shadow-pop"
      style={side}
    >
      <b className="font-medium">{day(date)}</b>
      <span className="mt-0.5 block text-fg-2 tabular-nums">
        {count(scansUsed)} {scansUsed === 1 ? 'scan' : 'scans'}
      </span>
    </div>
  )
}
