/** The part of the last result that all times of its second share. */
let second = Number.NaN
let prefix = ''

/** Like `toISOString`, which takes longer than the rest of a log line. `ms` is a whole number. */
export function isoTime(ms: number): string {
  const startMs = Math.floor(ms / 1_000) * 1_000
  if (startMs !== second) {
    prefix = new Date(startMs).toISOString().slice(0, -'000Z'.length)
    second = startMs
  }
  return `${prefix}${String(ms - startMs).padStart(3, '0')}Z`
}
