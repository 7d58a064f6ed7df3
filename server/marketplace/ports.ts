/** The two ports of a marketplace: the provider that we call, and the inbound side that calls our webhook. */
import type { EventKind, Purchase } from './state.ts'

export interface Operation {
  operationId: string
  externalId: string
  kind: EventKind | 'unknown'
  planId: string | null
  quantity: number | null
  /** Waiting for our acknowledgement, completed, or abandoned by the marketplace. */
  stage: 'waiting' | 'done' | 'void'
  /** The marketplace's timestamp. */
  atMs: number | null
}

/** The claims of a webhook call, with empty ids if it has none. They count once the marketplace confirms the operation. */
export interface Notice extends Omit<Operation, 'quantity' | 'stage'> {
  /** The marketplace's name for the kind. */
  action: string
}

/**
 * Every call ends by its deadline. An unreachable marketplace is `marketplace_unavailable`; an invalid response, or one
 * about another subscription or operation, is `upstream_error`.
 */
export interface Provider {
  /** Null for an unknown or expired token. */
  resolve(token: string, deadline: AbortSignal): Promise<Purchase | null>
  /** Starts billing. Refused: the purchase is not pending. Gone: it was cancelled. */
  confirm(
    order: Pick<Purchase, 'externalId' | 'planId' | 'quantity'>,
    deadline: AbortSignal,
  ): Promise<'confirmed' | 'refused' | 'gone'>
  fetch(externalId: string, deadline: AbortSignal): Promise<Purchase | null>
  operation(externalId: string, operationId: string, deadline: AbortSignal): Promise<Operation | null>
  /** The operations that wait for our acknowledgement. */
  operations(externalId: string, deadline: AbortSignal): Promise<Operation[]>
  /** Conflict: the marketplace has already completed or abandoned the operation. */
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
