/** Puts the listeners together: their protocols, the scan behind them, and their state. */
import { type ClamdOptions, createClamdProtocol } from './clamd/protocol.ts'
import { streamReply } from './clamd/replies.ts'
import { createVersion, type EngineVersion } from './clamd/version.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import type { ContentTools } from './icap/content.ts'
import { createOriginals } from './icap/original.ts'
import { createIcapProtocol } from './icap/protocol.ts'
import { outcomeResponse } from './icap/responses.ts'
import { serviceTag } from './icap/tag.ts'
import { type Listening, type ListenOptions, type Protocol, startListeners } from './listen.ts'
import type { Outcome } from './outcomes.ts'
import type { Listener, ProtocolName } from './specification.ts'

interface SetupOptions
  extends Omit<GatewayOptions, 'waitMs'>,
    Omit<ListenOptions, 'protocols' | 'farewell' | 'isShared' | 'backlog' | 'drainMs'>,
    Pick<ClamdOptions, 'load'> {
  engines(): readonly EngineVersion[]
  /** For bodies over ICAP. */
  content: ContentTools
  /** For copies of bodies that are sent back over ICAP. */
  originalBytesMax: number
  /** Notes in the audit log that a listener scans for a key from now on. */
  noteStart(listener: Listener, accountId: string): Promise<void>
}

interface Start extends Pick<ListenOptions, 'isShared' | 'backlog'> {
  /** The first of several processes. */
  isFirst: boolean
}

interface ListenerState {
  protocol: ProtocolName
  status: 'UP' | 'DOWN'
  /** Why it does not scan. */
  detail: string | null
}

const FAILED: Outcome = { name: 'failed' }

export type Listeners = ReturnType<typeof setUpListeners>

export function setUpListeners(options: SetupOptions) {
  const { listeners, log } = options
  const gateway = createGateway(options)
  const tag = (listener: Listener): string => serviceTag(options.engines(), listener)
  const protocols: Partial<Record<ProtocolName, Protocol>> = {
    clamd: createClamdProtocol({ gateway, version: createVersion(options.engines), load: options.load }),
    icap: createIcapProtocol({
      gateway,
      tag,
      tools: options.content,
      // Clients such as Squid have one address. Told of more, they would open more, and get failures.
      connectionsMax: options.connections.perAddress,
      originals: createOriginals(options.originalBytesMax),
    }),
  }
  const farewells: Record<ProtocolName, ListenOptions['farewell']> = {
    clamd: (listener) => streamReply(FAILED, listener)?.concat('\n') ?? null,
    icap: (listener) => outcomeResponse(FAILED, listener, { tag: tag(listener), isLast: true }),
  }
  let listening: Listening | null = null

  async function stateOf(listener: Listener): Promise<ListenerState> {
    const { protocol } = listener
    if (listening === null) return { protocol, status: 'DOWN', detail: 'Not listening.' }
    const detail = await gateway.problem(listener)
    return { protocol, status: detail === null ? 'UP' : 'DOWN', detail }
  }

  return {
    async start({ isFirst, ...given }: Start): Promise<void> {
      const farewell = (listener: Listener) => farewells[listener.protocol](listener)
      listening = await startListeners({ ...options, ...given, protocols, farewell })
      if (!isFirst) return
      for (const listener of listeners) {
        const { url, keyId } = listener
        const owner = await options.findKey(keyId)
        if (owner) await options.noteStart(listener, owner.accountId)
        else log.warn({ listener: url, keyId }, 'Listener has no active API key: its scans will fail')
      }
    },
    states: (): Promise<ListenerState[]> => Promise.all(listeners.map(stateOf)),
    /** By protocol. */
    stats() {
      const stats = listening?.stats() ?? []
      return [...new Set(stats.map(({ listener }) => listener.protocol))].map((protocol) => {
        const own = stats.filter(({ listener }) => listener.protocol === protocol)
        return { protocol, connections: own.reduce((sum, { connections }) => sum + connections, 0) }
      })
    },
    close: async (): Promise<void> => listening?.close(),
  }
}
