/** Measures how the time of a pattern grows with the length of a text. */

import { type Attack, attacksOn, textOf } from './attacks.ts'
import { parsePattern, readsLittle } from './syntax.ts'

export interface Pattern {
  /** File and line. */
  at: string
  /** The file, and the name of the constant or function in it. */
  name: string
  source: string
  flags: string
  /** Whether it is applied again behind each match, or by a reader at positions of its own choice. */
  everywhere: boolean
  /** Only applied at the start of a text. */
  atStart?: boolean
}

export interface Growth {
  attack: Attack
  length: number
  ms: number
  ratio: number
}

/** The ratio over a doubling is 2 for a linear pattern, 4 for a quadratic one. The lengths of the verdict: 16,000 and 32,000. */
const LENGTH = 16_000
const RATIO_MAX = 3
/** Patterns past this at a quarter of the length are measured: a quadratic pattern takes at least a nanosecond for each pair of characters. */
const SCREEN_MS = 0.25
const SCREEN_RATIO_MAX = 2.3
const VERDICT_MS = 2
/** On texts of these lengths, a pattern that is worse than quadratic stands out already, and still ends. */
const SHORT_LENGTHS = [16, 20, 26, 34, 44, 56, 72, 94, 122, 160, 200, 260, 340, 500]
const SHORT_MS = 1
const SHORT_RATIO_MAX = 6
const EXPONENTIAL_RATIO = 30
/** On a text that is a quarter longer, an exponential pattern then takes at least five times as long, a cubic one twice. */
const LITTLE_LONGER = 1.25
const EXPONENTIAL_LONGER_RATIO = 4
const PAST_BOUNDS = 1000
const CUBIC_RATIO_MIN = 5
const SLOW_MAX = 6
const REPEATS = 5
/** Longer measurements are not repeated: what disturbs a short one does not change their ratio. */
const REPEATED_MS_MAX = 15
/** To decide whether a measurement is worth its time, less is enough. */
const SCREEN_REPEATS = 3
const SCREEN_ENOUGH_MS = 8
const TICK_MS = 4
const TICKS_MIN = 10
/** Doublings from the length of the screen. */
const SPREAD = 3
const CONFIRM_TURNS = 4
/** So long that other programs slow down both lengths. */
const CONFIRM_ENOUGH_MS = 200

/** The first attack under which the pattern grows faster than the text, or null. */
export function growthOf(
  { source, flags, everywhere, atStart }: Pattern,
  began: () => void,
  length = LENGTH,
): Growth | null {
  if (readsLittle(parsePattern(source, flags))) return null
  const pattern = new RegExp(source, flags.replace(/[gy]/g, '') + (atStart ? 'y' : everywhere ? 'g' : ''))
  let [slow, slowest] = [0, 0]
  // Under many attacks, a pattern with wide bounds is slow, but linear. Then only a slower one tells something new.
  const isWorth = (ms: number): boolean => {
    const isNew = slow < SLOW_MAX || ms > slowest * 2
    ;[slow, slowest] = [slow + 1, Math.max(slowest, ms)]
    return isNew
  }
  for (const attack of attacksOn(source, flags)) {
    began()
    const growth = growthUnder(pattern, attack, length, isWorth)
    if (growth !== null) return growth
  }
  return null
}

function growthUnder(pattern: RegExp, attack: Attack, length: number, isWorth: (ms: number) => boolean): Growth | null {
  const worse = worseThanQuadratic(pattern, attack)
  if (worse !== null) return worse
  const screen = length / 4
  const text = textOf(attack, screen)
  if (wallTimeOf(pattern, text) < SCREEN_MS) return null
  const ms = timeOf(pattern, text, 1)
  if (
    ms < SCREEN_MS ||
    !isWorth(ms) ||
    doubled(pattern, attack, screen, SCREEN_REPEATS, SCREEN_ENOUGH_MS).ratio < SCREEN_RATIO_MAX
  )
    return null
  const growth = doubled(pattern, attack, length)
  if (growth.ms < VERDICT_MS || growth.ratio <= RATIO_MAX) return null
  return isConfirmed(pattern, attack, screen, 2 ** SPREAD, RATIO_MAX ** SPREAD) ? growth : null
}

/**
 * Another program on the same core can double measurements for a while. They are therefore repeated by turns, and over
 * three doublings linear and quadratic patterns are so far apart (8 and 64) that this decides nothing.
 */
function isConfirmed(pattern: RegExp, attack: Attack, length: number, factor: number, ratioMax: number): boolean {
  const texts = [length, length * factor].map((size) => textOf(attack, size))
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let turn = 0; turn < CONFIRM_TURNS; turn++) {
    for (const [index, text] of texts.entries())
      least[index] = Math.min(least[index] as number, cpuTimeOf(pattern, text))
    if ((least[1] as number) > CONFIRM_ENOUGH_MS) break
  }
  const [ms, longer] = least as [number, number]
  return longer / ms > ratioMax
}

function worseThanQuadratic(pattern: RegExp, attack: Attack): Growth | null {
  for (const short of SHORT_LENGTHS) {
    if (wallTimeOf(pattern, textOf(attack, short)) < SHORT_MS) continue
    const growth = doubled(pattern, attack, short / 2)
    if (growth.ms * growth.ratio < SHORT_MS || growth.ratio < SHORT_RATIO_MAX) continue
    // A text that is too short for a match takes no time at all, so that the first long enough looks exponential.
    const isSteep = growth.ratio > EXPONENTIAL_RATIO
    if (isSteep && isConfirmed(pattern, attack, short, LITTLE_LONGER, EXPONENTIAL_LONGER_RATIO)) return growth
    // Repetitions with a bound grow so only up to their bound.
    const longer = doubled(pattern, attack, PAST_BOUNDS)
    return longer.ratio > CUBIC_RATIO_MIN && isConfirmed(pattern, attack, PAST_BOUNDS, 2, CUBIC_RATIO_MIN)
      ? longer
      : null
  }
  return null
}

function doubled(
  pattern: RegExp,
  attack: Attack,
  length: number,
  repeats = REPEATS,
  enoughMs = REPEATED_MS_MAX,
): Growth {
  const [ms, twice] = [length, length * 2].map((size) => timeOf(pattern, textOf(attack, size), repeats, enoughMs)) as [
    number,
    number,
  ]
  return { attack, length, ms, ratio: twice / ms }
}

/** The least of several runs: other processes can only make one longer. */
function timeOf(pattern: RegExp, text: string, repeats: number, enoughMs = REPEATED_MS_MAX): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < repeats; run++) {
    const cpu = process.threadCpuUsage()
    const before = performance.now()
    search(pattern, text)
    const wall = performance.now() - before
    const { user, system } = process.threadCpuUsage(cpu)
    // The clock of the thread is not disturbed by others, but may be behind by a tick.
    least = Math.min(least, wall, (user + system) / 1000 + TICK_MS)
    if (least > enoughMs) break
  }
  return least
}

/** Of one search, from so many that neither interruptions nor the tick of the clock count. */
function cpuTimeOf(pattern: RegExp, text: string): number {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    search(pattern, text)
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1000
    if (ms > TICK_MS * TICKS_MIN) return ms / runs
  }
}

/** Never less than what `timeOf` returns, and quicker: most texts take a few microseconds. */
function wallTimeOf(pattern: RegExp, text: string): number {
  const before = performance.now()
  search(pattern, text)
  return performance.now() - before
}

function search(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0
  if (!pattern.global) return void pattern.test(text)
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
    if (match[0] === '') pattern.lastIndex++
}
