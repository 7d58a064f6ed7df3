/** The cache of what was read from the API. An ended session leads to the sign-in page. */
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { leaveForSignIn } from '../session.ts'
import { ApiProblem, isSignedOut } from './problem.ts'

const FRESH_MS = 30_000
const RETRIES = 1
const RECOVER_MS = 5_000

const isOffline = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'network'

function onError(error: unknown): void {
  if (isSignedOut(error)) leaveForSignIn()
}

/** Only failures that may pass by themselves. */
function shouldRetry(failures: number, error: unknown): boolean {
  const isTemporary = error instanceof ApiProblem && (error.status === 0 || error.status >= 500)
  return failures < RETRIES && isTemporary
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  // Always sent: without a network, browsers count as offline although the service may run on the same machine.
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: shouldRetry,
      networkMode: 'always',
      refetchOnReconnect: true,
      // A page that lost the connection recovers without a click.
      refetchInterval: ({ state: { error } }) => (isOffline(error) ? RECOVER_MS : false),
    },
  },
})

/** Reads again what a request has changed. */
export async function refresh(...queries: readonly { queryKey: readonly unknown[] }[]): Promise<void> {
  await Promise.all(queries.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
}
