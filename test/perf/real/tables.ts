/** Lines and tables of what was measured. */

import { figure } from '#test/perf/report.ts'
import { GROWTH_MAX, growthSizes, KINDS } from './kinds.ts'
import type { Measured } from './measure.ts'

const MB = 1e6
const MILLION = 1e6
const NONE = '–'

const perMb = (ms: number | null, { bytes }: Measured): number | null => (ms === null ? null : ms / (bytes / MB))
const shown = (value: number | null): string => (value === null ? NONE : figure(value))
const times = (ours: number, base: number | null): string =>
  base === null || base === 0 ? NONE : (ours / base).toFixed(2)

/** Null where there is no goal. */
function ratioMaxOf({ kind, size }: Measured): number | null {
  const found = KINDS.find(({ name }) => name === kind)
  const of = found?.sizes.find(({ name }) => name === size)
  return found && of ? found.ratioMax(of) : null
}

/** Null where clamd was not measured, or there is no goal. */
export function isWithin(measured: Measured): boolean | null {
  const most = ratioMaxOf(measured)
  return most === null || !measured.clamdPlainMs
    ? null
    : !measured.isCut && measured.oursMs / measured.clamdPlainMs <= most
}

function goalOf(measured: Measured): string {
  const met = isWithin(measured)
  return met === null ? NONE : `${ratioMaxOf(measured)}: ${met ? 'met' : 'missed'}`
}

const refusedOf = ({ refused }: Measured): string =>
  Object.entries(refused)
    .map(([why, count]) => `${count} ${why}`)
    .join(', ') || '0'

type Column = [head: string, cell: (measured: Measured) => string]

/** For the page. */
const COSTS: readonly Column[] = [
  ['kind', ({ kind }) => kind],
  ['size', ({ size }) => size],
  ['files', ({ how, files }) => (how === 'single' ? `${files}` : how)],
  ['ms per MB', (each) => `${each.isCut ? 'over ' : ''}${shown(perMb(each.oursMs, each))}`],
  ['median ms', ({ medianMs }) => figure(medianMs)],
  ['clamd, ms per MB', (each) => shown(perMb(each.clamdMs, each))],
  ['without image hash', (each) => shown(perMb(each.clamdPlainMs, each))],
  ['ratio', ({ oursMs, clamdMs }) => times(oursMs, clamdMs)],
  ['ratio without', ({ oursMs, clamdPlainMs }) => times(oursMs, clamdPlainMs)],
  ['goal', goalOf],
  ['first, then warm', ({ cold }) => (cold === null ? NONE : `${figure(cold.firstMs)}, ${figure(cold.warmMs)}`)],
  ['not clean', refusedOf],
]

/** For those who change the analyser. */
const DETAILS: readonly Column[] = [
  ...COSTS,
  ['work, millions', ({ workMean, workMax }) => `${figure(workMean / MILLION)}, at most ${figure(workMax / MILLION)}`],
  ['to parser', ({ oursMs, parserMs }) => times(oursMs, parserMs)],
  ['selection', ({ fingerprint }) => fingerprint],
]

const tableOf = (columns: readonly Column[], all: readonly Measured[]): string[][] => [
  columns.map(([head]) => head),
  ...all.map((each) => columns.map(([, cell]) => cell(each))),
]

export const costTable = (all: readonly Measured[]): string[][] => tableOf(COSTS, all)
export const detailTable = (all: readonly Measured[]): string[][] => tableOf(DETAILS, all)

/** Lines with columns of equal width. */
export function aligned(rows: readonly (readonly string[])[], between = '  '): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(between))
}

/** CPU time of a MB by size, where both sizes were measured. */
export function growthTable(all: readonly Measured[]): string[][] {
  const rows = KINDS.flatMap((kind) => {
    const sizes = growthSizes(kind)
    const [smaller, larger] = sizes.map((name) => all.find((each) => each.kind === kind.name && each.size === name))
    if (smaller === undefined || larger === undefined) return []
    const [small = 0, large = 0] = [perMb(smaller.oursMs, smaller) ?? 0, perMb(larger.oursMs, larger) ?? 0]
    const factor = large / small
    if (larger.isCut) return [[kind.name, sizes.join(', '), figure(small), NONE, NONE, `${GROWTH_MAX}: missed`]]
    const goal = `${GROWTH_MAX}: ${factor <= GROWTH_MAX ? 'met' : 'missed'}`
    return [[kind.name, sizes.join(', '), figure(small), figure(large), factor.toFixed(2), goal]]
  })
  return [['kind', 'sizes', 'ms per MB of the smaller', 'of the larger', 'factor', 'goal'], ...rows]
}
