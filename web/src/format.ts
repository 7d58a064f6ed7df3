/** Numbers, sizes and times as people read them. */

export const count = (value: number): string => value.toLocaleString('en-US')

const KIB = 1_024
const MIB = KIB * KIB

export function bytes(value: number): string {
  if (value < KIB) return `${value} B`
  return value < MIB ? `${(value / KIB).toFixed(1)} KB` : `${(value / MIB).toFixed(1)} MB`
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "3 hours ago"; "never" without a time. */
export function ago(iso: string | null, now = Date.now()): string {
  if (iso === null) return 'never'
  const seconds = (Date.parse(iso) - now) / 1_000
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? []
  return unit === undefined || size === undefined ? 'just now' : relative.format(Math.round(seconds / size), unit)
}

/** "Dec 14, 2026", where and as the reader lives. */
export function date(iso: string): string {
  return new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** "Nov 14", of a day in UTC, which are what usage counts. */
export function day(isoDate: string): string {
  return new Date(isoDate).toLocaleDateString(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
}

/** "Nov 15, 2026, 11:58 PM", where and as the reader lives. */
export function time(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** "2026-11-15 22:58:02 UTC", for comparing with logs. */
export const utc = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
