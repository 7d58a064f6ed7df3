/** The period of usage: a UTC calendar month, written `2026-11`. */

/** The first millisecond of the month after it. */
export function periodEndMs(period: string): number {
  const [year, month] = period.split('-').map(Number) as [number, number]
  return Date.UTC(year, month, 1)
}
