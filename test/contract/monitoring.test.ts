/** The alert rules and the dashboard use metrics, labels and codes that exist, and every alert has a runbook. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const ROOT = path.join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

interface Rule {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string; legendFormat: string }[]
}

/** Labels of each metric in the tables of the documentation, with the allowed values if they are listed. */
function documented(): Map<string, { type: string; labels: string }> {
  const rows = read('docs/metrics.md').matchAll(/^\| `(\w+)`\s*\| (\w+)\s*\| (.*?)\s*\|/gm)
  return new Map([...rows].map(([, name = '', type = '', labels = '']) => [name, { type, labels }]))
}

const rules = (parse(read('deploy/prometheus/alerts.yaml')) as { groups: [{ rules: Rule[] }] }).groups[0].rules
const panels = (JSON.parse(read('deploy/grafana/docvet.json')) as { panels: Panel[] }).panels
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

/** Labels that Prometheus, the supervisor and histograms add. */
const COMMON = ['instance', 'job', 'process', 'le']
const CODES = Object.keys(JSON.parse(read('server/base/problems.json')) as object)

type Metric = ReturnType<typeof documented> extends Map<string, infer T> ? T : never

function assertSelector({ labels }: Metric, label: string, value: string): void {
  if (COMMON.includes(label)) return
  assert.ok(labels.includes(`\`${label}\``), label)
  const isListed = label === 'code' ? CODES.includes(value) : label === 'engine' || labels.includes(value)
  assert.ok(isListed, `${label}="${value}"`)
}

test('every metric and label exists, and counters are used as rates', () => {
  const metrics = documented()
  const series = /\b((?:docvet|http|process|nodejs)_\w+)(?:\{([^}]*)\})?(\[)?/g
  const used = expressions.flatMap((expr) => [...expr.replace(/\bby \([^)]*\)/g, '').matchAll(series)])
  assert.ok(used.length > 30)
  for (const [text, name = '', selectors = '', range] of used) {
    const metric = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|count|sum)$/, ''))
    assert.ok(metric, text)
    assert.equal(metric.type !== 'gauge', range !== undefined, text)
    for (const [, label = '', value = ''] of selectors.matchAll(/(\w+)=~?"([^"]*)"/g))
      assertSelector(metric, label, value)
  }
})

test('labels of groups and legends exist', () => {
  const known = new Set(
    [...COMMON, ...read('docs/metrics.md').matchAll(/`(\w+)`/g)].map(
      (each) => each.toString().replaceAll('`', '').split(',')[0],
    ),
  )
  for (const expr of expressions) {
    for (const [, labels = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of labels.split(',')) assert.ok(known.has(label.trim()), `${label} in ${expr}`)
  }
  const legends = panels.flatMap(({ targets }) => targets.map(({ legendFormat }) => legendFormat))
  for (const [, label = ''] of legends.join(' ').matchAll(/\{\{(\w+)\}\}/g)) assert.ok(known.has(label), label)
})

test('expressions have matching brackets', () => {
  for (const expr of expressions) {
    const bare = expr.replace(/"[^"]*"/g, '')
    const pairs = { '(': ')', '{': '}', '[': ']' } as Record<string, string>
    const open: string[] = []
    for (const character of bare) {
      if (pairs[character]) open.push(pairs[character])
      else if (')}]'.includes(character)) assert.equal(open.pop(), character, expr)
    }
    assert.deepEqual(open, [], expr)
  }
})

test('every alert has a severity, a summary and a section in the runbooks with steps', () => {
  const sections = new Map(
    read('docs/runbooks.md')
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split('\n')[0] ?? '', section]),
  )
  assert.deepEqual(
    [...sections.keys()],
    rules.map(({ alert }) => alert),
  )
  for (const { alert, labels, annotations, for: duration } of rules) {
    assert.ok(['warning', 'critical'].includes(labels.severity))
    assert.match(duration, /^\d+[mh]$/)
    assert.equal(annotations.runbook_url, `docs/runbooks.md#${alert.toLowerCase()}`)
    assert.ok(sections.get(alert)?.includes(annotations.summary) && /^1\. /m.test(sections.get(alert) ?? ''), alert)
  }
})

test('the dashboard shows every metric, and its panels do not overlap', () => {
  const all = expressions.join('\n')
  for (const name of documented().keys()) assert.ok(all.includes(name), `${name} is not shown`)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  )
  assert.equal(new Set(cells).size, cells.length)
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
})
