import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, mergeMetrics, SERIES_MAX } from './metrics.ts'

const linesOf = async (metrics: ReturnType<typeof createMetrics>): Promise<string[]> =>
  (await metrics.render()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('a counter adds up per set of labels', async () => {
  const metrics = createMetrics()
  const count = metrics.counter('scans_total', 'Scans.')
  count({ verdict: 'clean' })
  count({ verdict: 'clean' }, 2)
  count({ verdict: 'infected' })
  assert.equal(
    await metrics.render(),
    '# HELP scans_total Scans.\n# TYPE scans_total counter\nscans_total{verdict="clean"} 3\nscans_total{verdict="infected"} 1\n',
  )
})

test('a histogram counts values in cumulative buckets, also past the last bound', async () => {
  const metrics = createMetrics()
  const observe = metrics.histogram('seconds', 'Time.', [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 3]) observe(value, { stage: 'engines' })
  assert.deepEqual(await linesOf(metrics), [
    'seconds_bucket{stage="engines",le="0.1"} 2',
    'seconds_bucket{stage="engines",le="1"} 3',
    'seconds_bucket{stage="engines",le="+Inf"} 4',
    'seconds_sum{stage="engines"} 3.65',
    'seconds_count{stage="engines"} 4',
  ])
})

test('a gauge is read when rendered; one that fails or has no value is left out', async () => {
  const metrics = createMetrics()
  let value = 1
  metrics.gauge('queue', 'Queue.', () => [{ value }])
  metrics.gauge('age', 'Age.', async () => [
    { labels: { engine: 'a' }, value: null },
    { labels: { engine: 'b' }, value: 2 },
  ])
  metrics.gauge('broken', 'Broken.', () => {
    throw new Error('down')
  })
  metrics.gauge('late', 'Rejects.', () => Promise.reject(new Error('down')))
  value = 7
  assert.deepEqual(await linesOf(metrics), ['queue 7', 'age{engine="b"} 2'])
})

test('label values are escaped', async () => {
  const metrics = createMetrics()
  metrics.counter('a', 'A.')({ name: 'a"b\\c\nd' })
  assert.deepEqual(await linesOf(metrics), ['a{name="a\\"b\\\\c\\nd"} 1'])
})

test('series at the limit and one past it', async () => {
  const metrics = createMetrics()
  const count = metrics.counter('a', 'A.')
  const observe = metrics.histogram('b', 'B.', [])
  for (let i = 0; i <= SERIES_MAX; i++) {
    count({ i: String(i) })
    observe(1, { i: String(i) })
  }
  count({ i: '0' })
  const lines = await linesOf(metrics)
  assert.equal(lines.filter((line) => line.startsWith('a{')).length, SERIES_MAX)
  assert.equal(lines.filter((line) => line.startsWith('b_count{')).length, SERIES_MAX)
  assert.equal(lines[0], 'a{i="0"} 2')
})

test('a name is used once', () => {
  const metrics = createMetrics()
  metrics.counter('a', 'A.')
  assert.throws(() => metrics.gauge('a', 'A.', () => []), /exists already/)
})

test('texts of several processes become one, with a label in every series', async () => {
  const [one, two] = [createMetrics(), createMetrics()]
  one.counter('a', 'A.')({ name: 'x{y} z' })
  two.counter('a', 'A.')({}, 3)
  two.gauge('b', 'B.', () => [{ value: 7 }])
  const parts = [
    { value: '1', text: await one.render() },
    { value: '2', text: await two.render() },
  ]
  const lines = ['# HELP a A.', '# TYPE a counter', 'a{process="1",name="x{y} z"} 1', 'a{process="2"} 3']
  assert.equal(
    mergeMetrics('process', parts),
    [...lines, '# HELP b B.', '# TYPE b gauge', 'b{process="2"} 7', ''].join('\n'),
  )
})
