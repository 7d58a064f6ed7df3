/** Who causes the changes of a request, for the audit log. */
import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** A person in the account of another. */
export const memberActor = (personId: string) => `member:${personId}` as const

/** Undefined for the owner of the account. */
export const currentActor = (): string | undefined => current.getStore()

export const withActor = <T>(actor: string, work: () => T): T => current.run(actor, work)
