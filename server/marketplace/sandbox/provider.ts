/** The sandbox as a provider: the same port as the real marketplace, answered from its own books. */
import { createHash } from 'node:crypto'
import { readOperation, readOperations, readSubscription } from '#marketplace/microsoft/parse.ts'
import type { Provider } from '#marketplace/ports.ts'
import type { BookStore } from './book-store.ts'
import { activate, perform } from './rules.ts'

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export function createSandboxProvider(books: BookStore): Provider {
  const shown = (found: object | null) => (found ? readSubscription(JSON.stringify(found)) : null)

  return {
    name: 'sandbox',

    async resolve(token) {
      return shown(await books.findByToken(hashOf(token)))
    },

    async confirm({ externalId, planId, quantity }) {
      const known = await books.find(externalId)
      if (known === null || known.saasSubscriptionStatus === 'Unsubscribed') return 'gone'
      const confirmed = await books.change(externalId, (now) =>
        now.planId === planId && now.quantity === quantity ? activate(now, new Date()) : null,
      )
      return confirmed ? 'confirmed' : 'refused'
    },

    async fetch(externalId) {
      return shown(await books.find(externalId))
    },

    async operation(externalId, operationId) {
      const found = await books.findOperation(externalId, operationId)
      return found ? readOperation(JSON.stringify(found)) : null
    },

    async operations(externalId) {
      return readOperations(JSON.stringify({ operations: await books.listOperations(externalId) }))
    },

    async acknowledge({ externalId, operationId }, accept) {
      const found = await books.findOperation(externalId, operationId)
      if (found?.status !== 'InProgress') return 'conflict'
      if (accept) await books.change(externalId, (known) => perform(known, found.action, found))
      await books.putOperation({ ...found, status: accept ? 'Succeeded' : 'Failed' })
      return 'done'
    },
  }
}
