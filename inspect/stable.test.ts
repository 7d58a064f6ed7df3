/** The same report in every run. The long form is `npm run stable`. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Inspector } from './inspect.ts'
import { differing, type Edge, edgesFrom, traceOf } from './testing/edges.ts'
import { ourInspector } from './testing/inspector.ts'
import { randomFrom } from './testing/random.ts'

const DOCUMENTS = 48
const RUNS = 3

suite('documents at the edge of a limit', () => {
  const inspectors: Inspector[] = []
  let edges: Edge[] = []
  before(async () => {
    inspectors.push(await ourInspector(), await ourInspector())
    edges = edgesFrom(1, DOCUMENTS, inspectors[0] ?? assert.fail())
  })
  after(() => {
    for (const inspector of inspectors) inspector.dispose()
  })

  test('lie on both sides of it', () => {
    const isRefused = (edge: Edge): boolean =>
      inspectors[0]?.inspect(edge.bytes, { limits: edge.limits }).obstacle !== null
    const refused = edges.filter(isRefused).length
    assert.ok(refused >= DOCUMENTS / 3 && refused <= (DOCUMENTS * 2) / 3 + 8, `${refused} of ${edges.length}`)
  })

  test('get the same report and cost in every order', () => {
    const traces = new Map<Edge, string>()
    const random = randomFrom(2)
    for (let run = 0; run < RUNS; run++)
      for (const inspector of inspectors)
        assert.deepEqual(
          differing(edges, traces, (edge) => traceOf(inspector, edge), random),
          [],
        )
  })

  test('are noticed where chance decides', () => {
    const inspector = inspectors[0] ?? assert.fail()
    const random = randomFrom(3)
    const traces = new Map<Edge, string>()
    const byChance = (edge: Edge): string =>
      traceOf(inspector, { ...edge, limits: { ...edge.limits, workMax: 200_000 + random(300_000) } })
    differing(edges, traces, byChance, random)
    assert.notDeepEqual(differing(edges, traces, byChance, random), [])
  })
})
