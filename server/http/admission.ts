/** Who may come in: identified, within their rate, and with a body that is worth reading. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { addressBlock } from './address.ts'
import { type FindKey, identify } from './identify.ts'
import type { Rate, Throttle } from './throttle.ts'

export interface AdmissionOptions {
  findKey: FindKey
  throttle: Throttle
  addressRatePerMinute: number
  keyRatePerMinute: number
  /** Scans a second, and how many at once, by plan. */
  scanRate: (plan: string) => { perSecond: number; burst: number }
}

export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

function checkBodyHead(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_content_type', 'A compressed request body is not accepted: send it as it is.')
  }
  const bytesMax = request.routeOptions.bodyLimit
  if (bytesMax !== undefined && Number(request.headers['content-length'] ?? 0) > bytesMax) {
    throw new AppError('body_too_large', `The body may have up to ${bytesMax} bytes.`)
  }
}

/** A minute's worth may come at once; after that they come evenly. */
const perMinute = (name: string, count: number): Rate => ({ name, perSecond: count / 60, burst: count })

/** Each question costs a call of a language model, so an address has fewer of them. */
const CHAT_SHARE = 3

export function createAdmission(options: AdmissionOptions): Admit {
  const { findKey, throttle } = options
  const addressRate = perMinute('address', options.addressRatePerMinute)
  const chatRate = perMinute('chat', Math.max(1, Math.floor(options.addressRatePerMinute / CHAT_SHARE)))
  const keyRate = perMinute('key', options.keyRatePerMinute)

  const openRate = (rate: string | undefined): Rate => (rate === 'chat' ? chatRate : addressRate)

  async function limit(reply: FastifyReply, caller: string, rate: Rate): Promise<void> {
    const { allowed, headers, retryAfterSeconds } = await throttle(caller, rate)
    reply.headers(headers)
    if (allowed) return
    throw new AppError('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
  }

  return async (request, reply) => {
    const { url, config } = request.routeOptions
    if (config.credential === 'none') {
      if (!config.unlimited)
        await limit(reply, `${url} ${addressBlock(request.ip, request.socket.remoteAddress)}`, openRate(config.rate))
    } else {
      const principal = await identify(request, findKey)
      request.principal = principal
      const rate = config.rate === 'scan' ? { name: 'scan', ...options.scanRate(principal.plan) } : keyRate
      await limit(reply, principal.kind === 'key' ? principal.keyId : principal.sessionId, rate)
    }
    if (!config.streamed) checkBodyHead(request)
  }
}
