/** Chooses the marketplace and its plan map from the settings. Pure. */
import { isLoopback, isLoopbackHost } from '#base/loopback.ts'
import type { Values } from '#config/settings.ts'

/** From `<offerId>/<planId>` of the marketplace to one of our plans. No default: an unmapped plan cannot be used. */
export type PlanMap = Readonly<Record<string, string>>

export interface MicrosoftOptions {
  tenantId: string
  clientId: string
  clientSecret: string
  apiUrl: string
  authorityUrl: string
  /** Null: derived from authority and tenant. */
  keysUrl: string | null
  issuers: readonly string[] | null
}

type MarketplaceChoice =
  | { kind: 'off' }
  /** Forced: allowed even where others can reach it. */
  | { kind: 'sandbox'; plans: PlanMap; isForced: boolean }
  | ({ kind: 'microsoft'; plans: PlanMap } & MicrosoftOptions)

type MarketplaceSettings = Pick<Values, Extract<keyof Values, `marketplace${string}` | `microsoft${string}`>>

interface Environment {
  publicUrl: string
  /** The listen address. */
  host: string
  planKeys: readonly string[]
  unsold: readonly string[]
  /** The text of a file, or why it cannot be read. */
  readFile: (path: string) => { value: string } | { wrong: string }
}

type Chosen = { choice: MarketplaceChoice; warnings: string[] } | { problems: string[] }

/** On loopback only its owner can get paid plans for free. */
const isPrivate = (publicUrl: string): boolean => publicUrl.startsWith('http:') && isLoopback(publicUrl)

/** True in a container too, where the public URL may still be loopback. */
const isReachable = (host: string): boolean => !isLoopbackHost(host === '::1' ? '[::1]' : host)

const SANDBOX_OFFER = 'docvet'

const entryName = (offerId: string, planId: string): string => `${offerId}/${planId}`

export function planKeyOf(map: PlanMap, offerId: string, planId: string): string | null {
  const name = entryName(offerId, planId)
  return Object.hasOwn(map, name) ? (map[name] ?? null) : null
}

/** The sandbox sells every plan but the free one and that of a company's own installation. */
export function sandboxPlans(planKeys: readonly string[], unsold: readonly string[]): PlanMap {
  const sold = planKeys.filter((key) => !unsold.includes(key))
  return Object.fromEntries(sold.map((key) => [entryName(SANDBOX_OFFER, key), key]))
}

const ENTRY = /^[^/\s]{1,100}\/[^/\s]{1,100}$/

/** A valid map, or everything that is wrong with it. */
export function parsePlanMap(text: string, planKeys: readonly string[]): { plans: PlanMap } | { problems: string[] } {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // Reported below.
  }
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

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function plansOf(given: string | null, { planKeys, unsold, readFile }: Environment, isSandbox: boolean) {
  if (given === null) {
    return isSandbox
      ? { plans: sandboxPlans(planKeys, unsold) }
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
  for (const [name, value] of Object.entries({ TENANT_ID: tenantId, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }))
    if (value === null) problems.push(`DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_${name}.`)
  if (tenantId === null || clientId === null || clientSecret === null || 'problems' in table) return { problems }
  const { microsoftApiUrl: apiUrl, microsoftAuthorityUrl: authorityUrl } = settings
  const { microsoftKeysUrl: keysUrl, microsoftIssuers: issuers } = settings
  const options = { tenantId, clientId, clientSecret, apiUrl, authorityUrl, keysUrl, issuers }
  return { choice: { kind: 'microsoft', plans: table.plans, ...options }, warnings: [] }
}

function sandbox({ marketplace, marketplacePlans }: MarketplaceSettings, environment: Environment): Chosen {
  const { publicUrl, host } = environment
  const isForced = marketplace === 'sandbox!'
  const isLocal = isPrivate(publicUrl)
  if (!isLocal && !isForced) {
    const why = `gives paid plans away to everyone who can reach ${publicUrl}`
    return { problems: [`DOCVET_MARKETPLACE=sandbox ${why}. Allowed: microsoft, off, or sandbox! to force it.`] }
  }
  const table = plansOf(marketplacePlans, environment, true)
  if ('problems' in table) return { problems: table.problems }
  const warning =
    'The sandbox marketplace is on: everyone who can reach the service can get any plan for free, and can see and ' +
    'cancel the purchases of others.'
  const choice = { kind: 'sandbox', plans: table.plans, isForced } as const
  return { choice, warnings: isLocal && !isReachable(host) ? [] : [warning] }
}

export function chooseMarketplace(settings: MarketplaceSettings, environment: Environment): Chosen {
  const { marketplace, microsoftTenantId, microsoftClientId, microsoftClientSecret } = settings
  const chosen = marketplace ?? (isPrivate(environment.publicUrl) && !isReachable(environment.host) ? 'sandbox' : 'off')
  if (chosen === 'microsoft') return microsoft(settings, environment)
  const result: Chosen = chosen === 'off' ? { choice: { kind: 'off' }, warnings: [] } : sandbox(settings, environment)
  if ('warnings' in result && (microsoftTenantId ?? microsoftClientId ?? microsoftClientSecret) !== null)
    result.warnings.push(
      `DOCVET_MICROSOFT_… is set, but the marketplace is ${chosen}: set DOCVET_MARKETPLACE=microsoft.`,
    )
  return result
}
