/** The two doors to a marketplace: a client that we call, and an inbound side that calls us. */
import type { EventKind, Status } from './state.ts'

/** What was bought, as the marketplace tells it. */
export interface Purchase {
  externalId: string
  offerId: string
  planId: string
  /** Null for plans without seats. */
  quantity: number | null
  /** Null: a word that we do not know. */
  status: Status | null
  freeTrial: boolean
  autoRenew: boolean
  /** Milliseconds since 1970. The end is the last day that is paid for. */
  termStart: number | null
  termEnd: number | null
  beneficiaryEmail: string | null
}

export interface Order {
  externalId: string
  planId: string
  quantity: number | null
}

export interface Operation {
  operationId: string
  externalId: string
  kind: EventKind | 'unknown'
  planId: string | null
  quantity: number | null
  /** Whether the marketplace waits for our answer, has gone on, or has given it up. */
  stage: 'waiting' | 'done' | 'void'
  /** The marketplace's own time. */
  atMs: number | null
}

/** What a call from the marketplace claims. It is only believed once the marketplace has confirmed the operation. */
export interface Notice {
  /** Empty: it names none. */
  operationId: string
  externalId: string
  kind: EventKind | 'unknown'
  /** In the marketplace's words. */
  action: string
  planId: string | null
  /** For when the operation itself has no time. */
  atMs: number | null
}

/**
 * Every call ends by its deadline. A marketplace that is away is `marketplace_unavailable`; nonsense is
 * `upstream_error`, and so is an answer about something else than was asked for.
 */
export interface Provider {
  readonly name: string
  /** Null: the token is not one of theirs, or too old. */
  resolve(token: string, deadline: AbortSignal): Promise<Purchase | null>
  /** Starts billing. Refused: it is not waiting to be confirmed. Gone: it was cancelled. */
  confirm(order: Order, deadline: AbortSignal): Promise<'confirmed' | 'refused' | 'gone'>
  fetch(externalId: string, deadline: AbortSignal): Promise<Purchase | null>
  operation(externalId: string, operationId: string, deadline: AbortSignal): Promise<Operation | null>
  /** Those that wait for our answer. */
  operations(externalId: string, deadline: AbortSignal): Promise<Operation[]>
  /** Conflict: the marketplace has gone on without us. */
  acknowledge(
    operation: Pick<Operation, 'externalId' | 'operationId'>,
    accept: boolean,
    deadline: AbortSignal,
  ): Promise<'done' | 'conflict'>
}

export interface Inbound {
  verifyAndParse(authorization: string | undefined, body: unknown, deadline: AbortSignal): Promise<Notice>
}

export interface Marketplace {
  provider: Provider
  inbound: Inbound
}
