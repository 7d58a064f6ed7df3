/** The figures of the last full runs, from which `npm run generate` writes the tables of docs/performance.md. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { ROOT } from '#test/perf/corpus-files.ts'
import type { Measured } from './measure.ts'
import type { MeasuredGroup } from './service.ts'

/** Day, machine and version of a run. */
interface About {
  on: string
  processor: string
  node: string
  commit: string
  /** CPU time that other programs used just before, in percent. */
  busy: number
}

interface Run<T> {
  about: About
  figures: T[]
}

export interface Measurements {
  documents: Run<Measured>
  service: Run<MeasuredGroup>
}

const FILE = path.join(ROOT, 'test/perf/real/measurements.json')
const SIGNIFICANT_DIGITS = 4

export const readMeasurements = (): Measurements => JSON.parse(readFileSync(FILE, 'utf8'))

const commit = (): string =>
  execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()

/** In a form in which each row is a line, so that two runs can be compared. */
export function renderMeasurements(all: Measurements): string {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : value
  const parts = Object.entries(all).map(([name, { about, figures }]) => {
    const rows = (figures as readonly unknown[]).map((each) => `    ${JSON.stringify(each, round)}`)
    return `  "${name}": {\n    "about": ${JSON.stringify(about)},\n    "figures": [\n${rows.join(',\n')}\n    ]\n  }`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

export function save<Name extends keyof Measurements>(
  name: Name,
  figures: Measurements[Name]['figures'],
  busyShare: number,
): void {
  const about: About = {
    on: new Date().toISOString().slice(0, 10),
    processor: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    commit: commit(),
    busy: Math.round(busyShare * 100),
  }
  writeFileSync(FILE, renderMeasurements({ ...readMeasurements(), [name]: { about, figures } }))
}
