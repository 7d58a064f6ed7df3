/** The tables of docs/performance.md, from the figures of the last full runs. */

import { figure } from '#test/perf/report.ts'
import { GROUPS } from './kinds.ts'
import type { Measurements } from './measurements.ts'
import type { MeasuredGroup } from './service.ts'
import { aligned, costTable, growthTable } from './tables.ts'

type Replace = (page: string, name: string, content: string) => string

const MB = 1e6

function serviceTable(groups: readonly MeasuredGroup[]): string[][] {
  const rows = groups.map((each) => {
    const goal = GROUPS.find(({ name }) => name === each.name)
    const against = (ratio: number, atLeast = Number.NaN) =>
      `${ratio.toFixed(2)} of ${atLeast}: ${ratio >= atLeast ? 'met' : 'missed'}`
    return [
      each.name,
      `${each.documents}, ${figure(each.bytes / MB)} MB`,
      figure(each.clamdPerSecond),
      against(each.withClamd, goal?.withClamd),
      against(each.alone, goal?.alone),
      figure(each.clamdMs),
      `${figure(each.aloneMainMs)}, ${figure(each.aloneWorkersMs)}`,
      `${each.notClean}`,
    ]
  })
  const heads = ['group', 'documents', 'clamd alone, scans/s', 'with clamd, of that', 'alone, of that']
  return [[...heads, 'CPU ms of clamd', 'alone: main, workers', 'not clean'], ...rows]
}

/** In the form of the formatter, with columns of equal width. */
function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const [first = '', ...others] = aligned([head, ...rows], ' | ')
  return [first, widths.map((width) => '-'.repeat(width)).join(' | '), ...others]
    .map((line) => `| ${line} |\n`)
    .join('')
}

/** Each table says when, where and of which version it was measured. */
export function renderPerformance(page: string, { documents, service }: Measurements, replace: Replace) {
  const section = ({ about, figures }: Measurements['documents' | 'service'], rows: string[][]) =>
    figures.length === 0
      ? '\nNot measured yet.\n\n'
      : `\nMeasured on ${about.on} on ${about.processor}, Node ${about.node}, at commit ${about.commit}. Other programs used ${about.busy} % of the CPU time just before.\n\n${markdown(rows)}\n`
  const parts: Record<string, string> = {
    'real-documents': section(documents, costTable(documents.figures)),
    'real-growth': section(documents, growthTable(documents.figures)),
    'real-service': section(service, serviceTable(service.figures)),
  }
  return Object.entries(parts).reduce((text, [name, content]) => replace(text, name, content), page)
}
