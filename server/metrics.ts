/** The metrics of the service. Names follow OpenTelemetry's conventions where it has one; docs/metrics.md lists all. */
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type ErrorCode, PROBLEMS } from '#base/errors.ts'
import { createMetrics, type Labels } from '#base/metrics.ts'
import type { SpanExporter } from '#base/span-exporter.ts'
import type { Outcome } from '#engines/engine.ts'
import type { Panel } from '#engines/panel.ts'
import type { RequestFacts } from '#http/request-log.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { ScanFacts } from '#listeners/gateway.ts'
import type { Listeners } from '#listeners/setup.ts'
import type { InFlightBudget } from '#scan/in-flight.ts'
import type { ScanLogFields } from '#scan/scan.ts'
import type { Database } from '#storage/database.ts'

/** The boundaries that OpenTelemetry recommends for requests, and two for scans near their deadline. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 30]
const SIZE_CLASSES = [
  [10_240, '10kb'],
  [102_400, '100kb'],
  [1_048_576, '1mb'],
  [10_485_760, '10mb'],
] as const
const LARGEST = '25mb'
const SCAN_ROUTE = '/api/v1/scan'
const ACCEPTED = 202
const EVENT_LOOP_RESOLUTION_MS = 20

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>

interface Sources {
  panel: Pick<Panel, 'health' | 'stats'>
  inFlight: Pick<InFlightBudget, 'inFlight'>
  jobs: Pick<Jobs, 'depth'>
  database: Pick<Database, 'pool' | 'problem'>
  limiterFallbacks: () => number
  listeners: Pick<Listeners, 'stats'>
  /** Null if spans are not exported. */
  spans: Pick<SpanExporter, 'counts'> | null
}

/** The end of a scan: a verdict, a refusal of the document or request, or a failure of ours. */
function resultOf(verdict: ScanLogFields['verdict'], status: number): string {
  if (verdict !== null) return verdict
  return status >= 500 ? 'failed' : 'refused'
}

function sizeClass(bytes: number | null): string {
  if (bytes === null) return 'unknown'
  return SIZE_CLASSES.find(([max]) => bytes <= max)?.[1] ?? LARGEST
}

export function createServiceMetrics(version: string) {
  const metrics = createMetrics()
  const requestSeconds = metrics.histogram(
    'http_server_request_duration_seconds',
    'Duration of HTTP requests by method, route and status.',
    SECONDS,
  )
  const problems = metrics.counter('docvet_problems_total', 'Error responses by problem code.')
  const scans = metrics.counter('docvet_scans_total', 'Scan requests by result and size of the document.')
  const stages = metrics.histogram('docvet_scan_stage_duration_seconds', 'Duration of scans by stage.', SECONDS)
  const listenerScans = metrics.counter(
    'docvet_listener_scans_total',
    'Documents of listeners by protocol and outcome.',
  )
  const outcomes = metrics.counter('docvet_engine_outcomes_total', 'Reports of engines by outcome.')
  const attempts = metrics.counter('docvet_job_attempts_total', 'Attempts at jobs by kind and outcome.')
  const objects = metrics.counter(
    'docvet_objects_total',
    'Objects of object stores whose scan has ended, by status and by what was done with them.',
  )
  metrics.gauge('docvet_build_info', 'The running version.', () => [{ labels: { version }, value: 1 }])
  const stopProcess = addProcessMetrics(metrics)

  function scanned(fields: ScanLogFields, status: number, seconds: number, count: number): void {
    const { verdict, sizeBytes, engineMs } = fields
    scans({ result: resultOf(verdict, status), size: sizeClass(sizeBytes) }, count)
    if (engineMs === null) return
    stages(engineMs / 1_000, { stage: 'engines' })
    stages(Math.max(0, seconds - engineMs / 1_000), { stage: 'other' })
  }

  return {
    render: metrics.render,
    /** Of `count` requests with the same facts. */
    requestCompleted({ method, route, status, seconds, code, logFields }: RequestFacts, count = 1): void {
      const labels: Labels = { http_request_method: method, http_route: route, http_response_status_code: `${status}` }
      requestSeconds(seconds, labels, count)
      if (code !== null) problems({ code }, count)
      // One that was answered before its verdict is counted with it.
      if (route === SCAN_ROUTE && logFields && status !== ACCEPTED)
        scanned(logFields as unknown as ScanLogFields, status, seconds, count)
    },
    /** Of a scan that was answered before its verdict. */
    scanEnded(logFields: ScanLogFields, code: ErrorCode | null, seconds: number): void {
      if (code !== null) problems({ code }, 1)
      scanned(logFields, code === null ? 200 : PROBLEMS[code].status, seconds, 1)
    },
    /** By a listener. */
    documentScanned({ protocol, outcome, seconds, code, logFields }: ScanFacts): void {
      listenerScans({ protocol, outcome })
      if (code !== null) problems({ code }, 1)
      const { status } = code === null ? { status: 200 } : PROBLEMS[code]
      if (logFields !== null) scanned(logFields, status, seconds, 1)
    },
    engineReported(engine: string, { kind }: Outcome): void {
      outcomes({ engine, outcome: kind })
    },
    jobAttempted(kind: string, outcome: string): void {
      attempts({ kind, outcome })
    },
    objectMarked(status: string, action: string): void {
      objects({ status, action })
    },
    watch: (sources: Sources) => addSources(metrics, sources),
    close: stopProcess,
  }
}

function addSources(metrics: ReturnType<typeof createMetrics>, sources: Sources): void {
  const { panel, inFlight, jobs, database } = sources
  const engines = (value: (engine: ReturnType<Panel['health']>[number]) => number | null) => () =>
    panel.health().map((engine) => ({ labels: { engine: engine.name }, value: value(engine) }))
  const workers = (value: (stats: ReturnType<Panel['stats']>[number]) => number) => () =>
    panel.stats().map((stats) => ({ labels: { engine: stats.engine }, value: value(stats) }))

  metrics.gauge(
    'docvet_engine_up',
    '1 if the engine passed its last self-test.',
    engines(({ status }) => (status === 'UP' ? 1 : 0)),
  )
  metrics.gauge(
    'docvet_engine_signatures_age_seconds',
    'Age of the signatures of the engine.',
    engines(({ signaturesAt }) => (signaturesAt === null ? null : (Date.now() - Date.parse(signaturesAt)) / 1_000)),
  )
  metrics.gauge(
    'docvet_workers_ready',
    'Workers of the embedded engine that can take a scan.',
    workers(({ ready }) => ready),
  )
  metrics.gauge(
    'docvet_worker_queue_length',
    'Scans that wait for a worker.',
    workers(({ queued }) => queued),
  )
  metrics.gauge(
    'docvet_worker_starts_total',
    'Workers started since the start of the service.',
    workers(({ started }) => started),
    'counter',
  )
  const ofUpdates = (value: (updates: { version: number; isCurrent: boolean }) => number) => () =>
    panel.stats().flatMap(({ updates }) => (updates === undefined ? [] : [{ value: value(updates) }]))
  metrics.gauge(
    'docvet_updates_version',
    'Version of the set of the update channel that is in use; 0 for none.',
    ofUpdates(({ version }) => version),
  )
  metrics.gauge(
    'docvet_updates_current',
    '1 if the update channel was read and its newest set is in use.',
    ofUpdates(({ isCurrent }) => (isCurrent ? 1 : 0)),
  )
  metrics.gauge('docvet_scans_in_flight', 'Scans in progress.', () => [{ value: inFlight.inFlight().scans }])
  metrics.gauge('docvet_scan_bytes_in_flight', 'Bytes of documents in progress.', () => [
    { value: inFlight.inFlight().bytes },
  ])
  metrics.gauge(
    'docvet_limiter_fallbacks_total',
    'Rate limit checks without the shared store.',
    () => [{ value: sources.limiterFallbacks() }],
    'counter',
  )
  metrics.gauge('docvet_listener_connections', 'Open connections of listeners by protocol.', () =>
    sources.listeners.stats().map(({ protocol, connections }) => ({ labels: { protocol }, value: connections })),
  )
  const { spans } = sources
  if (spans) {
    metrics.gauge(
      'docvet_spans_total',
      'Spans by outcome: exported, or dropped because the collector was slow or unavailable.',
      () => Object.entries(spans.counts()).map(([outcome, value]) => ({ labels: { outcome }, value })),
      'counter',
    )
  }
  metrics.gauge('docvet_jobs', 'Jobs by kind and state; those that failed are kept for a while.', async () =>
    (await jobs.depth()).flatMap(({ kind, waiting, running, failed }) =>
      Object.entries({ waiting, running, failed }).map(([state, value]) => ({ labels: { kind, state }, value })),
    ),
  )
  metrics.gauge('docvet_jobs_due', 'Jobs that wait although they are due, by kind.', async () =>
    (await jobs.depth()).map(({ kind, due }) => ({ labels: { kind }, value: due })),
  )
  metrics.gauge('docvet_jobs_oldest_seconds', 'How long the longest waiting job has been due, by kind.', async () =>
    (await jobs.depth()).map(({ kind, oldestMs }) => ({ labels: { kind }, value: oldestMs / 1_000 })),
  )
  metrics.gauge('docvet_storage_up', '1 if the database can be read and written.', async () => [
    { value: (await database.problem()) === null ? 1 : 0 },
  ])
  metrics.gauge('docvet_database_connections', 'Connections of the PostgreSQL pool by state.', () =>
    Object.entries(database.pool?.() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  )
}

/** Returns the function that stops measuring. */
function addProcessMetrics(metrics: ReturnType<typeof createMetrics>): () => void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS })
  const startedAt = Date.now() / 1_000 - process.uptime()
  metrics.gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', () => [
    { value: startedAt },
  ])
  metrics.gauge(
    'process_cpu_seconds_total',
    'CPU time of the main process.',
    () => {
      const { user, system } = process.cpuUsage()
      return [{ value: (user + system) / 1e6 }]
    },
    'counter',
  )
  metrics.gauge('process_resident_memory_bytes', 'Resident memory of the main process.', () => [
    { value: process.memoryUsage.rss() },
  ])
  metrics.gauge('process_open_fds', 'Open file descriptors of the main process.', () => [{ value: openDescriptors() }])
  metrics.gauge('nodejs_eventloop_delay_seconds', 'Delay of the event loop since the last scrape.', () => {
    // From the first scrape on, because its timer wakes the process 50 times a second.
    delay.enable()
    const readings = [0.5, 0.99, 1].map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: delay.count === 0 ? 0 : delay.percentile(quantile * 100) / 1e9,
    }))
    delay.reset()
    return readings
  })
  return () => delay.disable()
}

function openDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}
