/** A measurement, its baseline from the same run, and their ratio. */

export interface Measurement {
  what: string
  unit: string
  baseline: string
  /** Measured directly after each other. */
  rounds: { ours: number; base: number }[]
  /** The target ratio: a minimum for throughput, a maximum for time and memory. */
  target?: { atLeast?: number; atMost?: number }
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
export const figure = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })

export function describe({ what, unit, baseline, rounds, target }: Measurement): string {
  const ratios = rounds.map(({ ours, base }) => ours / base)
  const ratio = median(ratios)
  const met = ratio >= (target?.atLeast ?? 0) && ratio <= (target?.atMost ?? Number.POSITIVE_INFINITY)
  const wanted = target?.atLeast !== undefined ? `at least ${target.atLeast}` : `at most ${target?.atMost}`
  return [
    what,
    `  ours      ${figure(median(rounds.map((round) => round.ours)))} ${unit}`,
    `  baseline  ${figure(median(rounds.map((round) => round.base)))} ${unit}  (${baseline})`,
    `  ratio     ${ratio.toFixed(2)}×  from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} over ${rounds.length} rounds` +
      (target ? `; target ${wanted}×: ${met ? 'met' : 'MISSED'}` : ''),
  ].join('\n')
}
