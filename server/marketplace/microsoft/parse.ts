/** Parses Microsoft's responses leniently: padded words, numbers as text, missing and unknown fields. Pure. */
import type { Notice, Operation } from '#marketplace/ports.ts'
import { type EventKind, type Purchase, STATUSES, type Status } from '#marketplace/state.ts'

type Fields = Readonly<Record<string, unknown>>

const TEXT_LENGTH_MAX = 200
const ACTION_LENGTH_MAX = 60
const QUANTITY_MAX = 1_000_000_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The value if it is an object, otherwise an empty one. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function parseFields(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  // PostgreSQL rejects some control characters, and no name contains any.
  return text === '' || text.length > TEXT_LENGTH_MAX || /\p{Cc}/u.test(text) ? null : text
}

const wordOf = (value: unknown): string => textOf(value)?.toLowerCase() ?? ''

function idOf(value: unknown): string | null {
  const id = wordOf(value)
  return UUID.test(id) ? id : null
}

/** Microsoft sends a number, a number as text, empty text, null or no field. */
export function quantityOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= QUANTITY_MAX ? number : null
}

/** With or without a time of day. Year 1 means never, and a missing time zone means UTC. */
export function timeOf(value: unknown): number | null {
  const text = textOf(value)
  if (text === null || text.startsWith('0001-')) return null
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : ms
}

export function statusOf(value: unknown): Status | null {
  const word = wordOf(value)
  if (word === 'notstarted') return 'PendingFulfillmentStart'
  return STATUSES.find((status) => status.toLowerCase() === word) ?? null
}

const KINDS: ReadonlyMap<string, EventKind> = new Map([
  ['subscribe', 'activated'],
  ['changeplan', 'plan_changed'],
  ['changequantity', 'quantity_changed'],
  ['renew', 'renewed'],
  ['suspend', 'suspended'],
  ['reinstate', 'reinstated'],
  ['unsubscribe', 'cancelled'],
])

export const kindOf = (action: unknown): EventKind | 'unknown' => KINDS.get(wordOf(action)) ?? 'unknown'

/** Null if a required field is missing. */
export const readSubscription = (text: string): Purchase | null => purchaseOf(parseFields(text), {})

/** The response to a landing token nests the subscription. */
export function readResolved(text: string): Purchase | null {
  const outer = parseFields(text)
  return purchaseOf(fieldsOf(outer.subscription), outer)
}

function purchaseOf(inner: Fields, outer: Fields): Purchase | null {
  const ids = [idOf(outer.id), idOf(inner.id)].filter((id) => id !== null)
  const [externalId = null] = ids
  const offerId = textOf(inner.offerId) ?? textOf(outer.offerId)
  const planId = textOf(inner.planId) ?? textOf(outer.planId)
  if (externalId === null || offerId === null || planId === null) return null
  // Two different ids are ambiguous.
  if (ids.some((id) => id !== externalId)) return null
  const term = fieldsOf(inner.term)
  return {
    externalId,
    offerId,
    planId,
    quantity: quantityOf(outer.quantity) ?? quantityOf(inner.quantity),
    status: statusOf(inner.saasSubscriptionStatus),
    freeTrial: inner.isFreeTrial === true,
    autoRenew: inner.autoRenew === true,
    termStart: timeOf(term.startDate),
    termEnd: timeOf(term.endDate),
    beneficiaryEmail: textOf(fieldsOf(inner.beneficiary).emailId),
  }
}

const STAGES: ReadonlyMap<string, Operation['stage']> = new Map([
  ['notstarted', 'waiting'],
  ['inprogress', 'waiting'],
  ['succeeded', 'done'],
  ['success', 'done'],
  ['failed', 'void'],
  ['failure', 'void'],
  ['conflict', 'void'],
])

const isByPublisher = (fields: Fields): boolean => wordOf(fields.operationRequestSource) === 'partner'

function operationOf(fields: Fields): Operation | null {
  const operationId = idOf(fields.id)
  const externalId = idOf(fields.subscriptionId)
  const stage = STAGES.get(wordOf(fields.status))
  if (operationId === null || externalId === null || stage === undefined) return null
  return {
    operationId,
    externalId,
    kind: kindOf(fields.action),
    planId: textOf(fields.planId),
    quantity: quantityOf(fields.quantity),
    stage,
    atMs: timeOf(fields.timeStamp),
    isByPublisher: isByPublisher(fields),
  }
}

export const readOperation = (text: string): Operation | null => operationOf(parseFields(text))

export function readOperations(text: string): Operation[] {
  const { operations } = parseFields(text)
  const found = Array.isArray(operations) ? operations.map((each) => operationOf(fieldsOf(each))) : []
  return found.filter((operation) => operation?.stage === 'waiting') as Operation[]
}

/** Reads nothing from the nested subscription, which holds the old state in some versions. */
export function readNotice(body: unknown): Notice {
  const fields = fieldsOf(body)
  const action = textOf(fields.action) ?? textOf(fields.operationType) ?? 'none'
  return {
    operationId: idOf(fields.id) ?? '',
    externalId: idOf(fields.subscriptionId) ?? '',
    action: action.slice(0, ACTION_LENGTH_MAX),
    kind: kindOf(fields.action),
    planId: textOf(fields.planId),
    atMs: timeOf(fields.timeStamp),
    isByPublisher: isByPublisher(fields),
  }
}

const LIFE_SECONDS_MAX = 86_400

/** `expires_in` is text in some responses. */
export function readToken(text: string): { token: string; expiresInSeconds: number } | null {
  const fields = parseFields(text)
  const token = typeof fields.access_token === 'string' ? fields.access_token : ''
  const expiresInSeconds = quantityOf(fields.expires_in)
  if (!/^[\x21-\x7e]{1,8000}$/.test(token) || expiresInSeconds === null) return null
  return { token, expiresInSeconds: Math.min(expiresInSeconds, LIFE_SECONDS_MAX) }
}
