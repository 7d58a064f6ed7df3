/** A line on a terminal that says how far the scan is. It stays below the results. */
import { escapeControls } from '#base/escape-controls.ts'
import type { Summary } from './result.ts'

const EVERY_MS = 100
const CLEAR_LINE = '\r\x1b[K'
/** Before that, the rate says nothing. */
const RATE_AFTER_MS = 1_000
const SECONDS_PER_MINUTE = 60

interface Progress extends Pick<Summary, 'files' | 'infected' | 'errors'> {
  /** Null while files are still being counted. */
  total: number | null
  elapsedMs: number
  /** The file that was begun last. */
  current: string
}

const count = (number: number): string => number.toLocaleString('en-US')

function timeLeft(seconds: number): string {
  if (seconds < SECONDS_PER_MINUTE) return `${Math.ceil(seconds)} s left`
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE)
  return minutes < SECONDS_PER_MINUTE ? `${minutes} min left` : `${(minutes / SECONDS_PER_MINUTE).toFixed(1)} h left`
}

/** Fits into `columns`; the name of the file is what is cut. */
export function progressLine(progress: Progress, columns: number): string {
  const { files, infected, errors, total, elapsedMs, current } = progress
  const perSecond = (files * 1_000) / Math.max(elapsedMs, 1)
  const isRateKnown = elapsedMs >= RATE_AFTER_MS && files > 0
  const parts = [
    total === null ? `${count(files)} files` : `${Math.floor((files / total) * 100)} % of ${count(total)} files`,
    ...(isRateKnown ? [`${perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))}/s`] : []),
    ...(isRateKnown && total !== null ? [timeLeft((total - files) / perSecond)] : []),
    `${count(infected)} infected`,
    ...(errors > 0 ? [`${count(errors)} not scanned`] : []),
  ]
  const head = parts.join(' · ')
  const room = columns - head.length - ' · '.length - 1
  // By code points; wide characters may still wrap, which only looks odd.
  const name = [...escapeControls(current)]
  if (name.length === 0 || room < 2) return head.slice(0, columns - 1)
  return `${head} · ${name.length <= room ? name.join('') : `…${name.slice(1 - room).join('')}`}`
}

/** `isShared`: results may be printed on the same terminal. */
export function createProgress(stream: NodeJS.WriteStream, isShared: boolean, read: () => Progress) {
  if (!stream.isTTY) return { around: (print: () => Promise<void>) => print(), clear() {}, close() {} }
  const draw = () => stream.write(`${CLEAR_LINE}${progressLine(read(), stream.columns || 80)}`)
  const timer = setInterval(draw, EVERY_MS).unref()
  const clear = () => stream.write(CLEAR_LINE)
  return {
    /** Prints a result above the line. */
    async around(print: () => Promise<void>): Promise<void> {
      if (isShared) clear()
      await print()
      if (isShared) draw()
    },
    clear,
    close(): void {
      clearInterval(timer)
      clear()
    },
  }
}
