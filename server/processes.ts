/** One of several processes of the service: its share of the machine, and what it exchanges with the supervisor. */
import { availableParallelism } from 'node:os'
import { coalesce } from '#base/coalesce.ts'
import { createChannel, type Peer } from '#base/ipc.ts'
import type { Config } from '#config/config.ts'
import { BYTES_IN_FLIGHT_MIN } from '#config/settings.ts'
import { type ProcessState, unavailableState } from '#http/health.ts'
import type { Buckets } from '#http/throttle.ts'

type TakeArguments = Parameters<Buckets['take']>
export type Takes = TakeArguments[]
export type Taken = Awaited<ReturnType<Buckets['take']>>[]

/** A slower reply is worse than a local limit. */
const TAKE_MS_MAX = 500
const TAKE_BATCH_MAX = 500
export const STATE_MS_MAX = 2_000

/** The limits of one process, so that all together have those of the configuration. */
export function shareOf(config: Config, slot: number): Config {
  const { processes, connectionsMax, connectionsPerAddress } = config
  const part = (total: number) => Math.ceil(total / processes)
  const workers = config.embeddedWorkers ?? availableParallelism()
  // The first processes get what cannot be divided.
  const own = Math.floor(workers / processes) + (slot <= workers % processes ? 1 : 0)
  return {
    ...config,
    embeddedWorkers: Math.max(1, own),
    scanBytesInFlight: Math.max(BYTES_IN_FLIGHT_MIN, Math.floor(config.scanBytesInFlight / processes)),
    connectionsMax: part(connectionsMax),
    connectionsPerAddress: connectionsPerAddress === null ? null : part(connectionsPerAddress),
  }
}

interface Answers {
  metrics(): Promise<string>
  state(): Promise<ProcessState>
}

/** The connection of this process to its supervisor. */
export function connectToSupervisor(peer: Peer) {
  let answers: Answers | undefined
  const channel = createChannel(peer, {
    metrics: () => answers?.metrics() ?? '',
    state: () => answers?.state() ?? unavailableState('Starting.'),
  })
  const takeAll = coalesce<TakeArguments, Taken[number]>(
    (takes) => channel.ask<Taken>('take', takes, TAKE_MS_MAX),
    TAKE_BATCH_MAX,
  )
  const buckets: Buckets = { take: (...given) => takeAll(given) }
  return {
    /** The rate limits of all processes together. */
    buckets,
    /** The other processes together. */
    siblings: () => channel.ask<ProcessState>('siblings', null, STATE_MS_MAX * 2),
    /** This process accepts connections. */
    serving: () => channel.ask<void>('serving', null, STATE_MS_MAX),
    answer(given: Answers): void {
      answers = given
    },
  }
}
