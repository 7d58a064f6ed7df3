/** UUIDs of version 7 sort by time, which keeps database indexes compact. */
import { randomUUIDv7 } from 'node:crypto'

export const newId = (): string => randomUUIDv7()

/** The lowest id of this time or later: ids compare as text like their times. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
