/** The ports of a marketplace: the provider that we call, and the verification of its webhook calls. */
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
  /** Started by the publisher, who is not asked for an answer. */
  isByPublisher: boolean
}

/** The claims of a webhook call, with empty ids if it has none. They count once the marketplace confirms the operation. */
export interface Notice extends Omit<Operation, 'quantity' | 'stage'> {
  /** The marketplace's name for the kind. */
  action: string
}

/** Refused: the purchase is not pending. Gone: it was cancelled. */
export type Confirmation = 'confirmed' | 'refused' | 'gone'
/** Conflict: the marketplace has already completed or abandoned the operation. */
export type Acknowledgement = 'done' | 'conflict'

/**
 * Every call ends by its deadline. An unreachable marketplace is `marketplace_unavailable`; an invalid response, or one
 * about another subscription or operation, is `upstream_error`.
 */
export interface Provider {
  /** Null for an unknown or expired token. */
  resolve(token: string, deadline: AbortSignal): Promise<Purchase | null>
  /** Starts billing. */
  confirm(order: Pick<Purchase, 'externalId' | 'planId' | 'quantity'>, deadline: AbortSignal): Promise<Confirmation>
  fetch(externalId: string, deadline: AbortSignal): Promise<Purchase | null>
  operation(externalId: string, operationId: string, deadline: AbortSignal): Promise<Operation | null>
  /** The operations that wait for our acknowledgement. */
  operations(externalId: string, deadline: AbortSignal): Promise<Operation[]>
  acknowledge(
    operation: Pick<Operation, 'externalId' | 'operationId'>,
    accept: boolean,
    deadline: AbortSignal,
  ): Promise<Acknowledgement>
}

export interface Marketplace {
  provider: Provider
  /** Verifies that the marketplace sent a webhook call. */
  verifyAndParse(authorization: string | undefined, body: unknown, deadline: AbortSignal): Promise<Notice>
}
