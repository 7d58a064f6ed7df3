/** What a measurement says: ours, the baseline of the same run, and their ratio. */

export interface Measurement {
  what: string
  unit: string
  baseline: string
  /** Pairs of one round each, measured one right after the other. */
  rounds: { ours: number; base: number }[]
  /** The ratio to reach; for costs (time, memory) a ratio not to pass. */
  aim?: { atLeast?: number; atMost?: number }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })

export function describe({ what, unit, baseline, rounds, aim }: Measurement): string {
  const ratios = rounds.map(({ ours, base }) => ours / base)
  const ratio = median(ratios)
  const met = ratio >= (aim?.atLeast ?? 0) && ratio <= (aim?.atMost ?? Number.POSITIVE_INFINITY)
  const wanted = aim?.atLeast !== undefined ? `at least ${aim.atLeast}` : `at most ${aim?.atMost}`
  return [
    what,
    `  ours      ${figure(median(rounds.map((round) => round.ours)))} ${unit}`,
    `  baseline  ${figure(median(rounds.map((round) => round.base)))} ${unit}  (${baseline})`,
    `  ratio     ${ratio.toFixed(2)}×  from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} over ${rounds.length} rounds` +
      (aim ? `; aim ${wanted}×: ${met ? 'met' : 'MISSED'}` : ''),
  ].join('\n')
}
