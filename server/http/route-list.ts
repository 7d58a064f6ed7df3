/** The list of all routes, which distinguishes 405 from 404. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Role } from '#base/principal.ts'
import type { Credential } from './identify.ts'

export interface RouteEntry {
  method: string
  url: string
  credential: Credential
  /** Absent where no session is accepted. */
  role?: Role | 'person'
}

/** The router has already rejected paths that cannot be decoded. */
const decoded = (part: string): string => (part.includes('%') ? decodeURIComponent(part) : part)

/** The router ignores one slash at the end. */
const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

/** Mistakes of clients in the prefix of the API. */
const PREFIX = /^\/(?:api\/)?(?:v\d{1,2}\/)?/
const API = '/api/v1/'

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/').map(decoded)
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}

export function collectRoutes(server: FastifyInstance, publicUrl: string) {
  const entries: RouteEntry[] = []
  server.addHook('onRoute', ({ method, url, config }) => {
    const credential = config?.credential
    // Fail closed: a forgotten credential must not open the route.
    if (credential === undefined) throw new Error(`The route ${method} ${url} does not declare its credential`)
    if (credential.startsWith('key') && !config?.scopes)
      throw new Error(`The route ${method} ${url} does not declare the scopes of keys`)
    if (credential.includes('session') && !config?.role)
      throw new Error(`The route ${method} ${url} does not declare the role of people`)
    const role = config?.role
    for (const one of [method].flat()) entries.push({ method: one, url, credential, ...(role && { role }) })
  })

  return {
    entries: entries as readonly RouteEntry[],

    /** The error for a URL without a handler: 405 if another method is supported, otherwise 404. */
    refuse(method: string, url: string): AppError {
      const path = withoutSlash(url.split(/[?#]/, 1)[0] as string)
      const allowed = entries.filter((entry) => matches(entry.url, path)).map((entry) => entry.method)
      const intended = path.replace(PREFIX, API)
      const meant = entries.find((entry) => entry.method === method && matches(entry.url, intended))?.url
      const hint = meant && ` The API is at \`${meant.replace(/:(\w+)/g, '{$1}')}\`.`
      if (allowed.length === 0) {
        if (hint) return new AppError('not_found', `No resource exists at this URL.${hint}`)
        if (!/^\/api(?:\/|$)/.test(path)) return new AppError('not_found', 'No resource exists at this URL.')
        return new AppError('not_found', `No endpoint exists at this URL. ${publicUrl}/docs lists them all.`)
      }
      const allow = [...new Set(allowed)].sort().join(', ')
      return new AppError('method_not_allowed', `This URL supports only ${allow}.${hint ?? ''}`, { headers: { allow } })
    },
  }
}
