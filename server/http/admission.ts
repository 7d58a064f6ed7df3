/** Who may come in: identified, within their rate, and with a body that is worth reading. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { addressBlock } from './address.ts'
import { type Credential, type Finders, findPrincipal, identify } from './identify.ts'
import { refuseCrossSite, refuseForeignHost, refuseForwarded } from './same-origin.ts'
import type { Rate, Throttle } from './throttle.ts'

export interface AdmissionOptions extends Finders {
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

/** Of the rate of other open endpoints: guessing passwords and sending mail are what they are flooded for. */
const SIGN_IN_SHARE = 1 / 3
const RESET_SHARE = 1 / 6
/** Each question costs a call of a language model. */
const CHAT_SHARE = 1 / 3
/** Each token that an account brings is shown to the marketplace, under our name. */
const RESOLVE_SHARE = 1 / 3
/** One marketplace tells of all its subscriptions from a few addresses, and again when we were away. */
const WEBHOOK_SHARE = 10

/** A minute's worth may come at once; after that they come evenly. */
const perMinute = (name: string, count: number): Rate => ({ name, perSecond: count / 60, burst: count })

const withoutToken = (): AppError => new AppError('unauthenticated', 'A token is missing: `Authorization: Bearer …`.')

export function createAdmission(options: AdmissionOptions): Admit {
  const { throttle, publicUrl } = options
  const addressRate = perMinute('address', options.addressRatePerMinute)
  const otherRates = {
    'sign-in': perMinute('sign-in', Math.ceil(options.addressRatePerMinute * SIGN_IN_SHARE)),
    reset: perMinute('reset', Math.ceil(options.addressRatePerMinute * RESET_SHARE)),
    chat: perMinute('chat', Math.ceil(options.addressRatePerMinute * CHAT_SHARE)),
    resolve: perMinute('resolve', Math.ceil(options.addressRatePerMinute * RESOLVE_SHARE)),
    webhook: perMinute('webhook', options.addressRatePerMinute * WEBHOOK_SHARE),
  }
  const keyRate = perMinute('key', options.keyRatePerMinute)

  async function limit(reply: FastifyReply, caller: string, rate: Rate): Promise<void> {
    const { allowed, headers, retryAfterSeconds } = await throttle(caller, rate)
    reply.headers(headers)
    if (allowed) return
    throw new AppError('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
  }

  function refuseStrangers({ raw, headers, routeOptions: { config } }: FastifyRequest): void {
    if (config.ownSite) refuseCrossSite(raw, publicUrl, false)
    if (config.ownHost) refuseForeignHost(headers, publicUrl)
    if (config.direct) refuseForwarded(headers)
  }

  async function admitAnyone(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url, config } = request.routeOptions
    refuseStrangers(request)
    if (config.unlimited) return
    const rate = config.rate === undefined || config.rate === 'scan' ? addressRate : otherRates[config.rate]
    await limit(reply, `${url} ${addressBlock(request.ip, request.socket.remoteAddress)}`, rate)
    if (config.ownToken && request.headers.authorization === undefined) throw withoutToken()
    // An account with many addresses has no more questions than one.
    if (config.rate === 'chat') request.principal = await findPrincipal(request, 'key or session', options)
    if (request.principal !== null) await limit(reply, request.principal.accountId, rate)
  }

  function rateOf(name: FastifyContextConfig['rate'], plan: string): Rate {
    if (name === 'scan') return { name, ...options.scanRate(plan) }
    return name === undefined ? keyRate : otherRates[name]
  }

  async function admitKnown(request: FastifyRequest, reply: FastifyReply, credential: Exclude<Credential, 'none'>) {
    const principal = await identify(request, credential, options)
    request.principal = principal
    const rate = rateOf(request.routeOptions.config.rate, principal.plan)
    // Not by the session: whoever has the password could start any number of them.
    await limit(reply, principal.kind === 'key' ? principal.keyId : principal.accountId, rate)
  }

  return async (request, reply) => {
    const { credential = 'key', streamed } = request.routeOptions.config
    if (credential === 'none') await admitAnyone(request, reply)
    else await admitKnown(request, reply, credential)
    if (!streamed) checkBodyHead(request)
  }
}
