/** A period is a calendar month in UTC, such as `2026-11`. */

const DAY_MS = 24 * 60 * 60 * 1_000

function bounds(period: string): [start: number, end: number] {
  const [year = 0, month = 1] = period.split('-').map(Number)
  return [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1)]
}

export const currentPeriod = (now = Date.now()): string => new Date(now).toISOString().slice(0, 7)

export const isPeriod = (text: string | null): text is string => /^20\d{2}-(?:0[1-9]|1[0-2])$/.test(text ?? '')

/** The current month and those before it, newest first. */
export function latestPeriods(count: number, now = Date.now()): string[] {
  const [year = 0, month = 1] = currentPeriod(now).split('-').map(Number)
  return Array.from({ length: count }, (_each, back) => currentPeriod(Date.UTC(year, month - 1 - back, 1)))
}

/** "November 2026" */
export function monthOf(period: string): string {
  const [start] = bounds(period)
  return new Date(start).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** The first moment after the period. */
export const endOf = (period: string): string => new Date(bounds(period)[1]).toISOString()

/** The scans by the end of the period if they go on as before; null on its first day, which says too little. */
export function forecast(used: number, period: string, now = Date.now()): number | null {
  const [start, end] = bounds(period)
  const elapsed = now - start
  if (used === 0 || elapsed < DAY_MS || now >= end) return null
  return Math.round((used * (end - start)) / elapsed)
}
