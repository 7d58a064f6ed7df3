/** Health, readiness and liveness. */
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { messageOf } from '#base/message-of.ts'
import type { WorkerCount } from '#engines/engine.ts'
import type { Server } from './server.ts'

const RETRY_AFTER_SECONDS = '5'

const status = Type.Enum(['UP', 'DOWN'], { type: 'string', title: 'HealthStatus' })
const textOrNull = (example: string, description?: string) =>
  Type.Union([Type.String(), Type.Null()], { ...(description && { description }), examples: [example] })

const EngineHealth = Type.Object(
  {
    name: Type.String({ examples: ['embedded'] }),
    status,
    version: textOrNull('1.0.0'),
    signatures: textOrNull('27000'),
    signaturesAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The date of the newest signature.',
      examples: ['2026-11-01T08:00:00.000Z'],
    }),
    detail: textOrNull(
      'sandbox bwrap+prlimit+seccomp; 2 of 2 workers ready',
      'For operators: why the engine is down, its isolation, and rule files, lists, updates and a policy that are not in use. The log has more.',
    ),
  },
  { title: 'EngineHealth' },
)

const ListenerHealth = Type.Object(
  {
    protocol: Type.String({ examples: ['clamd'] }),
    status,
    detail: textOrNull('The API key is unknown, revoked, or of a disabled account.', 'Why its scans fail.'),
  },
  { title: 'ListenerHealth' },
)

const detail = Type.Optional(Type.String({ description: 'For operators: why the process cannot serve requests.' }))

const orNull = <T extends Type.TSchema>(schema: T, options: Type.TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options)

const UpdatesHealth = Type.Object(
  {
    channel: orNull(Type.String(), { description: 'Where rules are fetched from. Null: they are imported.' }),
    version: orNull(Type.Integer(), { description: 'Of the set in use. Null: none.', examples: [12] }),
    publishedAt: orNull(Type.String(), { examples: ['2026-11-18T00:00:00Z'] }),
    rulesAgeHours: orNull(Type.Integer(), { description: 'How old the set in use is.', examples: [30] }),
  },
  { title: 'UpdatesHealth', description: 'The rules of the update channel. Absent: there is none.' },
)

const Health = Type.Object(
  {
    status,
    engine: status,
    detail,
    engines: Type.Array(EngineHealth, {
      description: 'The engines required for `clean`. Empty: nothing can be scanned.',
    }),
    listeners: Type.Optional(
      Type.Array(ListenerHealth, {
        description: 'Ports for other protocols than HTTP. Absent: there are none. They do not affect `status`.',
      }),
    ),
    receipts: Type.Optional(
      Type.String({
        description: 'For operators: why scans have no receipts. Absent: they have, or there are no reports.',
      }),
    ),
    secretKey: Type.Optional(
      Type.String({
        description:
          'For operators: why this process cannot read secrets that others have stored. Absent: it can, or there are none.',
      }),
    ),
    policy: Type.Optional(
      Type.String({
        description: "The SHA-256 of the operator's policy that is in force. Absent: none is set.",
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    ),
    updates: Type.Optional(UpdatesHealth),
  },
  { title: 'Health', description: 'The service can scan documents.' },
)

const Readiness = Type.Object(
  {
    status,
    storage: status,
    engine: status,
    detail,
  },
  { title: 'Readiness', description: 'The process can serve requests.' },
)
const Liveness = Type.Object(
  { status: Type.Enum(['UP'], { type: 'string' }) },
  { title: 'Liveness', description: 'The process is running.' },
)

const unavailable = <T extends object>(schema: T, consequence: string) => ({
  ...schema,
  description: `${consequence}: an engine or the storage is unavailable.`,
})

const DOWN = { status: 'DOWN', engine: 'DOWN' }
const DOWN_ENGINE = {
  name: 'embedded',
  status: 'DOWN',
  version: null,
  signatures: null,
  signaturesAt: null,
  detail: 'the self-test failed',
}

type EngineHealth = Type.Static<typeof EngineHealth>

interface HealthOptions {
  /** Null when the storage can be read and written. */
  storageProblem: () => Promise<string | null>
  engines: (
    elsewhere?: WorkerCount,
  ) => (EngineHealth & { policy?: string; updates?: Type.Static<typeof UpdatesHealth> })[]
  /** The other processes on the same port. */
  siblings?: () => Promise<ProcessState>
  /** Empty unless some are configured. */
  listeners?: () => Promise<Type.Static<typeof ListenerHealth>[]>
  /** Why scans have no receipts. */
  receiptsProblem?: string | null
  /** Why stored secrets cannot be read. */
  secretKeyProblem?: () => string | null
}

/** Of one process, or of several. */
export interface ProcessState {
  /** The reason why it cannot serve requests. */
  problem: string | null
  workers: WorkerCount
}

type Status = EngineHealth['status']

function engineProblem(engines: EngineHealth[]): string | null {
  if (engines.length === 0) return 'There is no engine.'
  const down = engines.filter((each) => each.status === 'DOWN').map(({ name }) => name)
  return down.length === 0 ? null : `Not available: ${down.join(', ')}.`
}

export const unavailableState = (problem: string): ProcessState => ({ problem, workers: sumOfWorkers([]) })

export function sumOfWorkers(counts: readonly WorkerCount[]): WorkerCount {
  const sum = (field: keyof WorkerCount) => counts.reduce((total, each) => total + each[field], 0)
  return { ready: sum('ready'), size: sum('size') }
}

export function healthRoutes(server: Server, options: HealthOptions) {
  const { storageProblem, engines, siblings } = options
  const probe = { credential: 'none', probe: true } as const

  const joined = (problems: readonly (string | null)[]): string => problems.filter((each) => each !== null).join(' ')
  const findProblems = async () => ({ storage: await storageProblem(), engine: engineProblem(engines()) })

  /** Connections go to all processes, so one that cannot serve requests counts for all. */
  const findSiblings = async (): Promise<ProcessState | undefined> =>
    siblings?.().catch((error) => unavailableState(messageOf(error)))

  /** The response schema of each route selects the fields. */
  async function report(reply: FastifyReply) {
    const others = await findSiblings()
    const found = engines(others?.workers)
    const problems = await findProblems()
    const statusOf = (problem: string | null): Status => (problem === null ? 'UP' : 'DOWN')
    const detail = joined([...Object.values(problems), others?.problem ?? null])
    const listeners = (await options.listeners?.()) ?? []
    const updates = found.find((each) => each.updates !== undefined)?.updates
    const policy = found.find((each) => each.policy !== undefined)?.policy
    const secretKey = options.secretKeyProblem?.()
    const report = {
      ...{ storage: statusOf(problems.storage), engine: statusOf(problems.engine), engines: found },
      ...(listeners.length > 0 && { listeners }),
      ...(options.receiptsProblem && { receipts: options.receiptsProblem }),
      ...(secretKey && { secretKey }),
      ...(policy && { policy }),
      ...(updates && { updates }),
    }
    if (detail === '') return { status: 'UP' as const, ...report }
    reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
    return { status: 'DOWN' as const, ...report, detail }
  }

  server.get(
    '/api/v1/health',
    {
      config: {
        ...probe,
        examples: { 503: { down: { ...DOWN, detail: 'Not available: embedded.', engines: [DOWN_ENGINE] } } },
      },
      schema: {
        operationId: 'getHealth',
        response: { 200: Health, 503: unavailable(Health, 'Documents cannot be scanned') },
      },
    },
    (_request, reply) => report(reply),
  )

  server.get(
    '/readyz',
    {
      config: {
        ...probe,
        unlimited: true,
        examples: { 503: { down: { ...DOWN, storage: 'UP', detail: 'Not available: embedded.' } } },
      },
      schema: {
        operationId: 'getReadiness',
        response: { 200: Readiness, 503: unavailable(Readiness, 'The process cannot serve requests') },
      },
    },
    (_request, reply) => report(reply),
  )

  server.get(
    '/livez',
    { config: { ...probe, unlimited: true }, schema: { operationId: 'getLiveness', response: { 200: Liveness } } },
    async () => ({ status: 'UP' as const }),
  )

  return {
    /** The reason why this process cannot serve requests; null if there is none. */
    problem: async (): Promise<string | null> => joined(Object.values(await findProblems())) || null,
  }
}
