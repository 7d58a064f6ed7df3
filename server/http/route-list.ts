/** The list of all routes: what the route test reads, and what tells a wrong method from a wrong address. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Credential } from './identify.ts'

export interface RouteEntry {
  method: string
  url: string
  credential: Credential
}

export interface RouteList {
  entries: readonly RouteEntry[]
  /** Why nothing answers here: 405 when another method would, else 404. */
  refuse(url: string): AppError
}

/** As the router reads it, which has refused by now what cannot be decoded. */
const decoded = (part: string): string => (part.includes('%') ? decodeURIComponent(part) : part)

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/').map(decoded)
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}

export function collectRoutes(server: FastifyInstance): RouteList {
  const entries: RouteEntry[] = []
  server.addHook('onRoute', ({ method, url, config }) => {
    const credential = config?.credential
    // Fail closed: forgetting to say who may call a route must not open it.
    if (credential === undefined) throw new Error(`The route ${method} ${url} does not say which credential it demands`)
    for (const one of [method].flat()) entries.push({ method: one, url, credential })
  })

  return {
    entries,
    refuse(url) {
      const path = url.split(/[?#]/, 1)[0] as string
      const allowed = entries.filter((entry) => matches(entry.url, path)).map((entry) => entry.method)
      if (allowed.length === 0) return new AppError('not_found', 'There is nothing at this address.')
      const allow = [...new Set(allowed)].sort().join(', ')
      return new AppError('method_not_allowed', `This address answers only to ${allow}.`, { headers: { allow } })
    },
  }
}
