/** The rules of the channel: which set is in use, and how a new one takes its place after it was proved. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { ChannelRefused, type ReadChannel, readChannel } from './channel.ts'
import { type Contents, contentsOf, NO_CONTENTS } from './contents.ts'
import { fromServer } from './sources.ts'
import { identityOf, readState, type UpdateSet, type UpdateState, writeState } from './update-set.ts'

export interface UpdateOptions {
  /** Where the set in use is kept. Null: there are no updates. */
  folder: string | null
  /** Null: nothing is fetched; sets are imported. */
  url: string | null
  /** The URL of a proxy. Null: the channel is reached directly. */
  proxy: string | null
  /** The file with the first root of trust. */
  rootFile: string | null
  intervalMs: number
}

export const NO_CHANNEL: UpdateOptions = { folder: null, url: null, proxy: null, rootFile: null, intervalMs: 0 }

/** Rejects if documents that are known to be harmless are not any more, or a threat is. */
type Prove = (contents: Contents) => Promise<void>

export type Updates = ReturnType<typeof createUpdates>

/** After a failure, which may have been that of the network. */
const RETRY_MS = 600_000
const HOUR_MS = 3_600_000
const REASON_MAX = 500

interface Used {
  set: UpdateSet | null
  contents: Contents
}

export function createUpdates(options: UpdateOptions & { prove: Prove; signal: AbortSignal; log: Log }) {
  const { folder, url, proxy, rootFile, intervalMs, prove, signal, log } = options
  /** That new workers get, and that all workers have. */
  let chosen: Used = { set: null, contents: NO_CONTENTS }
  let current = chosen
  let stateProblem: string | null = null
  let channelProblem: string | null = null
  let refused: UpdateState['refused'] = null
  /** The state that was seen last: each is tried once. */
  let seen: string | null = null

  /** The set of the state if it is another one, and passes; else the one in use stays. */
  async function choose(): Promise<boolean> {
    const identity = folder === null ? null : await identityOf(folder)
    if (folder === null || identity === seen) return false
    seen = identity
    try {
      const state = await readState(folder)
      refused = state.refused
      stateProblem = null
      const { current: wanted } = state
      if (wanted === null || wanted.version === chosen.set?.version) return false
      const contents = await contentsOf(wanted)
      await prove(contents)
      chosen = { set: wanted, contents }
      return true
    } catch (error) {
      log.error({ problem: messageOf(error) }, 'Rules of the channel rejected')
      stateProblem = messageOf(error).slice(0, REASON_MAX)
      return false
    }
  }

  async function exchange(apply: () => Promise<void>): Promise<void> {
    try {
      await apply()
      current = chosen
    } catch (error) {
      chosen = current
      stateProblem = messageOf(error).slice(0, REASON_MAX)
      log.error({ problem: stateProblem }, 'Rules of the channel not in use')
    }
  }

  async function refresh(directory: string, channel: string): Promise<void> {
    try {
      const root = await readFile(rootFile ?? '', 'utf8')
      const outcome = await receive({ folder: directory, root, read: fromServer(channel, proxy), prove })
      channelProblem = null
      if (outcome.isNew) log.info(outcome, 'Rules of the channel received')
    } catch (error) {
      channelProblem = (error instanceof ChannelRefused ? 'the channel was refused: ' : '') + messageOf(error)
      log.error({ problem: channelProblem }, 'Channel of rules not read')
    }
  }

  return {
    current: () => current.set,
    setup: () => chosen.contents.setup,
    lists: () => current.contents.lists,
    /** Why the newest set is not in use. */
    problem(): string | null {
      const said = refused === null ? null : `version ${refused.version} was refused: ${refused.reason}`
      return [channelProblem, stateProblem, said].filter((each) => each !== null).join(', ') || null
    },
    health(now = Date.now()) {
      const { set } = current
      if (url === null && set === null) return undefined
      const published = set?.publishedAt ?? null
      const rulesAgeHours = published === null ? null : Math.max(0, Math.floor((now - Date.parse(published)) / HOUR_MS))
      return { channel: url, version: set?.version ?? null, publishedAt: published, rulesAgeHours }
    },
    async load(): Promise<void> {
      await choose()
      current = chosen
    },
    /** Also sets that were imported, or that another process has fetched. Until the signal fires. */
    async watch(everyMs: number, apply: () => Promise<void>): Promise<void> {
      while (folder !== null && !signal.aborted) {
        await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {})
        if (!signal.aborted && (await choose())) await exchange(apply)
      }
    },
    /** Asks the channel at once, and then again and again. Without one, nothing leaves this machine. */
    async follow(): Promise<void> {
      while (folder !== null && url !== null && !signal.aborted) {
        await refresh(folder, url)
        const waitMs = channelProblem === null ? intervalMs : Math.min(intervalMs, RETRY_MS)
        await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
      }
    },
  }
}

interface ReceiveOptions {
  folder: string
  root: string
  read: ReadChannel
  prove: Prove
  allowExpired?: boolean
}

/**
 * Verifies what the channel has, proves it and keeps it as the set to use. A set that fails is remembered and not used; the
 * metadata of the channel is kept all the same, so that nothing older is accepted later. Rejects if the channel is refused.
 */
export async function receive({ folder, root, read, prove, allowExpired = false }: ReceiveOptions) {
  const before = await readState(folder)
  const { metadata, set } = await readChannel({ metadata: before.metadata, root, read, allowExpired })
  const isTried = isUnknown(set, before)
  const failure = isTried ? await refusalOf(set, prove) : null
  // Meanwhile another process may have been faster, or an operator may have taken the set back.
  const state = await readState(folder)
  const isNew = isUnknown(set, state)
  if ((state.current?.version ?? 0) > set.version || (isNew && !isTried))
    return { version: set.version, isNew: false, refused: null }
  const refused = isNew ? failure : knownRefusal(set, state)
  const isUsed = isNew && refused === null
  if (isNew || metadata.timestamp !== state.metadata.timestamp || refused !== state.refused)
    await writeState(folder, {
      ...{ metadata, refused },
      current: isUsed ? set : state.current,
      previous: isUsed ? state.current : state.previous,
    })
  return { version: set.version, isNew, refused: refused?.reason ?? null }
}

const isUnknown = ({ version }: UpdateSet, { current, refused }: UpdateState): boolean =>
  version > (current?.version ?? 0) && version !== refused?.version

const knownRefusal = ({ version }: UpdateSet, { refused }: UpdateState): UpdateState['refused'] =>
  refused?.version === version ? refused : null

async function refusalOf(set: UpdateSet, prove: Prove): Promise<UpdateState['refused']> {
  try {
    await prove(await contentsOf(set))
    return null
  } catch (error) {
    return { version: set.version, reason: messageOf(error).slice(0, REASON_MAX) }
  }
}

/** Uses the set before again. The one in use is not taken again; the next one is. Null: there is none before. */
export async function goBack(folder: string): Promise<{ from: number; to: number } | null> {
  const { metadata, current, previous } = await readState(folder)
  if (current === null || previous === null) return null
  const refused = { version: current.version, reason: 'it was taken back' }
  await writeState(folder, { metadata, current: previous, previous: null, refused })
  return { from: current.version, to: previous.version }
}
