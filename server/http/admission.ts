/** Admits a request: identifies the caller, applies the rate limit and checks the headers of the body. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { limitedAccount, type Principal, TEST_PLAN } from '#base/principal.ts'
import { addressBlock } from './address.ts'
import {
  type Credential,
  enterAccount,
  type Finders,
  findPrincipal,
  identify,
  refuseRole,
  refuseScope,
} from './identify.ts'
import { refuseCrossSite, refuseForeignHost, refuseForwarded } from './same-origin.ts'
import type { Rate, Throttle } from './throttle.ts'

export interface AdmissionOptions extends Finders {
  throttle: Throttle
  addressRatePerMinute: number
  keyRatePerMinute: number
  scanRate: (plan: string) => { perSecond: number; burst: number }
}

function checkBodyHead(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_content_type',
      'Compressed request bodies are not supported. Send the body without `Content-Encoding`.',
    )
  }
  const bytesMax = request.routeOptions.bodyLimit
  if (bytesMax !== undefined && Number(request.headers['content-length'] ?? 0) > bytesMax) {
    throw new AppError('body_too_large', `The request body exceeds the limit of ${bytesMax} bytes.`)
  }
}

/**
 * Shares of the rate per IP address. Lower where a request allows password guessing, sends mail or calls a paid service. Much
 * higher for events, which some object stores do not repeat.
 */
const SHARES = {
  'sign-in': 1 / 3,
  reset: 1 / 6,
  chat: 1 / 3,
  resolve: 1 / 3,
  callback: 1 / 3,
  webhook: 10,
  events: 1_000,
}

/** Refused documents cost nothing of the quota, so they are limited per account: more keys do not allow more of them. */
export const REFUSED_RATE = 'refused'

/** A full minute's allowance may be used as one burst. */
const perMinute = (name: string, count: number): Rate => ({ name, perSecond: count / 60, burst: count })

type Caller = Pick<Principal, 'accountId' | 'plan'> & { keyId?: string | undefined }

/** Not per session: one password can start any number of them. */
const callerOf = (caller: Caller): string =>
  caller.keyId === undefined || caller.plan === TEST_PLAN ? limitedAccount(caller) : caller.keyId

/** Takes one scan from the rate of the caller, unless its account has sent too many documents that were refused. */
export async function takeScan(throttle: Throttle, caller: Caller, rate: Omit<Rate, 'name'>) {
  const [taken, refused] = await Promise.all([
    throttle(callerOf(caller), { ...rate, name: 'scan' }),
    throttle(limitedAccount(caller), { ...rate, name: REFUSED_RATE }, true),
  ])
  return { taken, refused }
}

export function createAdmission(options: AdmissionOptions) {
  const { throttle, publicUrl } = options
  const addressRate = perMinute('address', options.addressRatePerMinute)
  const shareOf = (name: keyof typeof SHARES): Rate =>
    perMinute(name, Math.ceil(options.addressRatePerMinute * SHARES[name]))
  const keyRate = perMinute('key', options.keyRatePerMinute)

  function apply(reply: FastifyReply, taken: Awaited<ReturnType<Throttle>>, what = 'requests'): void {
    const { allowed, headers, retryAfterSeconds } = taken
    reply.headers(headers)
    if (allowed) return
    throw new AppError('rate_limited', `Too many ${what}. Retry in ${retryAfterSeconds} s.`, { retryAfterSeconds })
  }

  async function limit(reply: FastifyReply, caller: string, rate: Rate): Promise<void> {
    apply(reply, await throttle(caller, rate))
  }

  function refuseForeign({ raw, headers, routeOptions: { config } }: FastifyRequest): void {
    if (config.ownSite) refuseCrossSite(raw, publicUrl, false)
    if (config.ownHost) refuseForeignHost(headers, publicUrl)
    if (config.direct) refuseForwarded(headers)
  }

  async function admitAnyone(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url, config } = request.routeOptions
    refuseForeign(request)
    if (config.unlimited) return
    const rate = config.rate === undefined || config.rate === 'scan' ? addressRate : shareOf(config.rate)
    await limit(reply, `${url} ${addressBlock(request.ip, request.socket.remoteAddress)}`, rate)
    if (config.ownToken && request.headers.authorization === undefined) {
      throw new AppError('unauthenticated', 'The token is missing. Send `Authorization: Bearer …`.')
    }
    // Limited per account too, so that many IP addresses do not multiply the allowance.
    if (config.rate === 'chat') request.principal = await findPrincipal(request, 'key or session', options)
    if (request.principal !== null) await limit(reply, request.principal.accountId, rate)
  }

  function rateOf(name: FastifyContextConfig['rate'], plan: string): Rate {
    if (name === 'scan') return { name, ...options.scanRate(plan) }
    return name === undefined ? keyRate : shareOf(name)
  }

  async function admitIdentified(
    request: FastifyRequest,
    reply: FastifyReply,
    credential: Exclude<Credential, 'none'>,
  ) {
    const { scopes, role = 'owner' } = request.routeOptions.config
    const found = await identify(request, credential, options)
    const principal = role === 'person' ? found : enterAccount(found)
    request.principal = principal
    await limitPrincipal(request, reply, principal)
    if (scopes) refuseScope(principal, scopes)
    if (role !== 'person') refuseRole(principal, role)
  }

  async function limitPrincipal(request: FastifyRequest, reply: FastifyReply, principal: Principal): Promise<void> {
    const rate = rateOf(request.routeOptions.config.rate, principal.plan)
    if (rate.name !== 'scan') return limit(reply, callerOf(principal), rate)
    const { taken, refused } = await takeScan(throttle, principal, rate)
    apply(reply, taken)
    if (!refused.allowed) apply(reply, refused, 'refused documents of this account')
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { credential = 'key', streamed } = request.routeOptions.config
    if (credential === 'none') await admitAnyone(request, reply)
    else await admitIdentified(request, reply, credential)
    if (!streamed) checkBodyHead(request)
  }
}
