/** The list of all routes, which distinguishes 405 from 404. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Credential } from './identify.ts'

export interface RouteEntry {
  method: string
  url: string
  credential: Credential
}

/** The router has already rejected paths that cannot be decoded. */
const decoded = (part: string): string => (part.includes('%') ? decodeURIComponent(part) : part)

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/').map(decoded)
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}

export function collectRoutes(server: FastifyInstance) {
  const entries: RouteEntry[] = []
  server.addHook('onRoute', ({ method, url, config }) => {
    const credential = config?.credential
    // Fail closed: a forgotten credential must not open the route.
    if (credential === undefined) throw new Error(`The route ${method} ${url} does not declare its credential`)
    for (const one of [method].flat()) entries.push({ method: one, url, credential })
  })

  return {
    entries: entries as readonly RouteEntry[],

    /** The error for a URL without a handler: 405 if another method is supported, otherwise 404. */
    refuse(url: string): AppError {
      const path = url.split(/[?#]/, 1)[0] as string
      const allowed = entries.filter((entry) => matches(entry.url, path)).map((entry) => entry.method)
      if (allowed.length === 0) return new AppError('not_found', 'No resource exists at this URL.')
      const allow = [...new Set(allowed)].sort().join(', ')
      return new AppError('method_not_allowed', `This URL supports only ${allow}.`, { headers: { allow } })
    },
  }
}
