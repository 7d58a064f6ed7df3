/** Charged scans by day of a UTC month such as `2026-11`. Pure. */
import { isoTime } from '#base/iso-time.ts'
import { periodEndMs } from './quota.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

const isoDay = (ms: number): string => isoTime(ms).slice(0, 10)

/** All days of the month, such as `2026-11-01`. */
export function datesOf(period: string): string[] {
  const length = Number(isoDay(periodEndMs(period) - DAY_MS).slice(8))
  return Array.from({ length }, (_each, index) => `${period}-${String(index + 1).padStart(2, '0')}`)
}

/** The day of a charge. One that arrives after the end of its month counts on the last day. */
export function dateOf(chargedAtMs: number, period: string): string {
  const date = isoDay(chargedAtMs)
  return date.startsWith(period) ? date : isoDay(periodEndMs(period) - DAY_MS)
}

const dayOfMonth = (date: string): string => date.slice(8)

/** `stored` with one scan more on each of the dates `charged` and one less on each of `reverted`. */
export function changeDays(stored: string | null, charged: readonly string[], reverted: readonly string[]): string {
  const days = JSON.parse(stored ?? '{}') as Record<string, number>
  const add = (date: string, scans: number) => {
    days[dayOfMonth(date)] = (days[dayOfMonth(date)] ?? 0) + scans
  }
  for (const date of charged) add(date, 1)
  for (const date of reverted) add(date, -1)
  return JSON.stringify(days)
}

/** The scans on each of the dates. */
export function scansOn(dates: readonly string[], stored: string | null): number[] {
  const days = JSON.parse(stored ?? '{}') as Record<string, number>
  return dates.map((date) => days[dayOfMonth(date)] ?? 0)
}
