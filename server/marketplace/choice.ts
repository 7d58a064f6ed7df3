/** Chooses the marketplace and its plan map from the settings. Pure. */
import { isLoopback, isLoopbackHost } from '#base/loopback.ts'
import type { MicrosoftOptions } from './microsoft/marketplace.ts'

/** From `<offerId>/<planId>` of the marketplace to one of our plans. No default: an unmapped plan cannot be used. */
export type PlanMap = Readonly<Record<string, string>>

export const MARKETPLACES = ['off', 'sandbox', 'sandbox!', 'microsoft'] as const

export type MarketplaceChoice =
  | { kind: 'off' }
  /** Forced: allowed even where others can reach it. */
  | { kind: 'sandbox'; plans: PlanMap; isForced: boolean }
  | ({ kind: 'microsoft'; plans: PlanMap } & MicrosoftOptions)

interface MarketplaceSettings {
  marketplace: (typeof MARKETPLACES)[number] | null
  /** JSON, or the path of a JSON file. */
  marketplacePlans: string | null
  microsoftTenantId: string | null
  microsoftClientId: string | null
  microsoftClientSecret: string | null
  microsoftApiUrl: string
  microsoftAuthorityUrl: string
  microsoftKeysUrl: string | null
  microsoftIssuers: readonly string[] | null
}

interface Environment {
  publicUrl: string
  /** The listen address. */
  host: string
  planKeys: readonly string[]
  freePlan: string
  /** The text of a file, or why it cannot be read. */
  readFile: (path: string) => { value: string } | { wrong: string }
}

type Chosen = { choice: MarketplaceChoice; warnings: string[] } | { problems: string[] }

/** On loopback only its owner can get paid plans for free. */
const isPrivate = (publicUrl: string): boolean => publicUrl.startsWith('http:') && isLoopback(publicUrl)

/** True in a container too, where the public URL may still be loopback. */
const isReachable = (host: string): boolean => !isLoopbackHost(host === '::1' ? '[::1]' : host)

const SANDBOX_OFFER = 'docvet'

/** The key of an offer's plan in the plan map. */
const entryName = (offerId: string, planId: string): string => `${offerId}/${planId}`

export function planKeyOf(map: PlanMap, offerId: string, planId: string): string | null {
  const name = entryName(offerId, planId)
  return Object.hasOwn(map, name) ? (map[name] ?? null) : null
}

/** The sandbox sells every plan but the free one. */
export function sandboxPlans(planKeys: readonly string[], freePlan: string): PlanMap {
  const sold = planKeys.filter((key) => key !== freePlan)
  return Object.fromEntries(sold.map((key) => [entryName(SANDBOX_OFFER, key), key]))
}

const ENTRY = /^[^/\s]{1,100}\/[^/\s]{1,100}$/

/** A valid map, or everything that is wrong with it. */
export function parsePlanMap(text: string, planKeys: readonly string[]): { plans: PlanMap } | { problems: string[] } {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
    return { problems: ['it is not a JSON object like {"<offerId>/<planId>": "pro"}'] }
  }
  const problems: string[] = []
  for (const [name, key] of Object.entries(value)) {
    if (!ENTRY.test(name)) problems.push(`${quote(name)} is not <offerId>/<planId>`)
    if (!planKeys.includes(key)) problems.push(`${quote(name)} maps to ${quote(key)}, which is not a plan`)
  }
  return problems.length > 0 ? { problems } : { plans: value as PlanMap }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function plansOf(given: string | null, { planKeys, freePlan, readFile }: Environment, isSandbox: boolean) {
  if (given === null) {
    return isSandbox
      ? { plans: sandboxPlans(planKeys, freePlan) }
      : { problems: ['DOCVET_MARKETPLACE_PLANS must map each marketplace plan to a plan of this service.'] }
  }
  const read = given.trimStart().startsWith('{') ? { value: given } : readFile(given)
  const parsed = 'wrong' in read ? { problems: [read.wrong] } : parsePlanMap(read.value, planKeys)
  if ('plans' in parsed) return parsed
  return { problems: parsed.problems.map((problem) => `DOCVET_MARKETPLACE_PLANS: ${problem}.`) }
}

function microsoft(settings: MarketplaceSettings, environment: Environment): Chosen {
  const { microsoftTenantId: tenantId, microsoftClientId: clientId, microsoftClientSecret: clientSecret } = settings
  const table = plansOf(settings.marketplacePlans, environment, false)
  const problems = 'problems' in table ? [...table.problems] : []
  if (tenantId === null) problems.push('DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_TENANT_ID.')
  if (clientId === null) problems.push('DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_CLIENT_ID.')
  if (clientSecret === null) problems.push('DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_CLIENT_SECRET.')
  if (tenantId === null || clientId === null || clientSecret === null || 'problems' in table) return { problems }
  const choice = {
    kind: 'microsoft' as const,
    plans: table.plans,
    tenantId,
    clientId,
    clientSecret,
    apiUrl: settings.microsoftApiUrl,
    authorityUrl: settings.microsoftAuthorityUrl,
    keysUrl: settings.microsoftKeysUrl,
    issuers: settings.microsoftIssuers,
  }
  return { choice, warnings: [] }
}

function sandbox(settings: MarketplaceSettings, environment: Environment): Chosen {
  const isLocal = isPrivate(environment.publicUrl)
  if (!isLocal && settings.marketplace !== 'sandbox!') {
    const why = `gives paid plans away to everyone who can reach ${environment.publicUrl}`
    return { problems: [`DOCVET_MARKETPLACE=sandbox ${why}. Allowed: microsoft, off, or sandbox! to force it.`] }
  }
  const table = plansOf(settings.marketplacePlans, environment, true)
  if ('problems' in table) return { problems: table.problems }
  const warnings =
    isLocal && !isReachable(environment.host)
      ? []
      : [
          'The sandbox marketplace is on: everyone who can reach the service can get any plan for free, and can see and ' +
            'cancel the purchases of others.',
        ]
  const isForced = settings.marketplace === 'sandbox!'
  return { choice: { kind: 'sandbox', plans: table.plans, isForced }, warnings }
}

export function chooseMarketplace(settings: MarketplaceSettings, environment: Environment): Chosen {
  const { marketplace, microsoftTenantId, microsoftClientId, microsoftClientSecret } = settings
  const chosen = marketplace ?? (isPrivate(environment.publicUrl) && !isReachable(environment.host) ? 'sandbox' : 'off')
  if (chosen === 'microsoft') return microsoft(settings, environment)
  const idle = [microsoftTenantId, microsoftClientId, microsoftClientSecret].some((each) => each !== null)
  const unused = idle
    ? [`DOCVET_MICROSOFT_… is set, but the marketplace is ${chosen}: set DOCVET_MARKETPLACE=microsoft.`]
    : []
  const result: Chosen = chosen === 'off' ? { choice: { kind: 'off' }, warnings: [] } : sandbox(settings, environment)
  return 'problems' in result ? result : { ...result, warnings: [...result.warnings, ...unused] }
}
