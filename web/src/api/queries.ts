/** Queries of the pages to the API, each with the key under which it is cached. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { ApiProblem } from './problem.ts'
import type { Operations, ScanList } from './schema.ts'

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => call('GET /api/v1/auth/me') })

/** None for a person whose role has none. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () =>
    call('GET /api/v1/keys').catch((error) => {
      if (error instanceof ApiProblem && error.code === 'role_forbidden') return []
      throw error
    }),
})

export const alertsQuery = queryOptions({ queryKey: ['alerts'], queryFn: () => call('GET /api/v1/alerts') })

export const usageQuery = queryOptions({ queryKey: ['usage'], queryFn: () => call('GET /api/v1/usage') })

export const monthQuery = (period: string) =>
  queryOptions({
    queryKey: ['usage', period],
    queryFn: () => call('GET /api/v1/usage/{period}', { path: { period } }),
  })

export type ScanFilters = Omit<NonNullable<Operations['GET /api/v1/scans']['query']>, 'limit' | 'cursor'>

const SCANS_PER_PAGE = 25

export const scansQuery = (filters: ScanFilters) =>
  infiniteQueryOptions({
    queryKey: ['scans', filters],
    async queryFn({ pageParam }) {
      for (let cursor = pageParam; ; ) {
        const page: ScanList = await call('GET /api/v1/scans', {
          query: { ...filters, limit: SCANS_PER_PAGE, ...(cursor !== null && { cursor }) },
        })
        // With a rare filter, a page can be empty although an older one is not.
        if (page.items.length > 0 || page.nextCursor === null) return page
        cursor = page.nextCursor
      }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })

const ALLOWED_PER_PAGE = 50

export const allowedQuery = infiniteQueryOptions({
  queryKey: ['allowed'],
  queryFn: ({ pageParam }) =>
    call('GET /api/v1/allowed', {
      query: { limit: ALLOWED_PER_PAGE, ...(pageParam !== null && { cursor: pageParam }) },
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: 0,
})

export const scanQuery = (scanId: string) =>
  queryOptions({
    queryKey: ['scan', scanId],
    queryFn: () => call('GET /api/v1/scans/{scanId}', { path: { scanId } }),
  })

export const callbacksQuery = queryOptions({
  queryKey: ['callbacks'],
  queryFn: () => call('GET /api/v1/webhooks'),
  staleTime: 0,
})

export const callbackQuery = (id: string) =>
  queryOptions({
    queryKey: ['callbacks', id],
    queryFn: () => call('GET /api/v1/webhooks/{id}', { path: { id } }),
    staleTime: 0,
  })

/** A callback that waits is attempted at once, or after a pause. */
const DELIVERIES_MS = 3_000

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['callbacks', id, 'deliveries'],
    queryFn: () => call('GET /api/v1/webhooks/{id}/deliveries', { path: { id } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((delivery) => delivery.state === 'waiting') ? DELIVERIES_MS : false,
    staleTime: 0,
  })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call('GET /api/v1/auth/sessions'),
  staleTime: 0,
})

export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: () => call('GET /api/v1/auth/identities'),
  staleTime: 0,
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => call('GET /api/v1/auth/passkeys'),
  staleTime: 0,
})

export const accountsQuery = queryOptions({ queryKey: ['accounts'], queryFn: () => call('GET /api/v1/auth/act') })

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => call('GET /api/v1/members'),
  staleTime: 0,
})

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => call('GET /api/v1/invitations'),
  staleTime: 0,
})
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: () => call('GET /api/v1/operator/commands'),
  retry: false,
  staleTime: 0,
})

export const operatorListQuery = (command: string, options: Record<string, string>) =>
  queryOptions({
    queryKey: ['operator', command, options],
    queryFn: () => call('POST /api/v1/operator/commands', { body: { command, options } }),
    retry: false,
    staleTime: 0,
  })

export const purchasesQuery = queryOptions({
  queryKey: ['purchases'],
  queryFn: () => call('GET /api/v1/marketplace/subscriptions'),
  staleTime: 0,
})

/** The engines are checked every minute, so asking more often tells nothing new. */
const HEALTH_MS = 60_000

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => call('GET /api/v1/health'),
  refetchInterval: HEALTH_MS,
  retry: false,
})

export const suggestionsQuery = queryOptions({
  queryKey: ['chat', 'suggestions'],
  queryFn: () => call('GET /api/v1/chat/suggestions'),
})

export const chatHealthQuery = queryOptions({
  queryKey: ['chat', 'health'],
  queryFn: () => call('GET /api/v1/chat/health'),
})

/** Null without a subscription. */
export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: () =>
    call('GET /api/v1/marketplace/subscription').catch((error) => {
      if (error instanceof ApiProblem && error.code === 'no_live_subscription') return null
      throw error
    }),
})
