/** Which marketplace the configuration means, from all the settings about it. Pure. */
import { isLoopback, isLoopbackHost } from '#base/loopback.ts'
import type { MicrosoftOptions } from './microsoft/marketplace.ts'
import { type PlanMap, parsePlanMap, sandboxPlans } from './plan-map.ts'

export const MARKETPLACES = ['off', 'sandbox', 'sandbox!', 'microsoft'] as const

export type MarketplaceChoice =
  | { kind: 'off' }
  /** Meant: also where others can reach it. */
  | { kind: 'sandbox'; plans: PlanMap; isMeant: boolean }
  | ({ kind: 'microsoft'; plans: PlanMap } & MicrosoftOptions)

export interface MarketplaceSettings {
  marketplace: (typeof MARKETPLACES)[number] | null
  /** JSON, or the path of a file with it. */
  marketplacePlans: string | null
  microsoftTenantId: string | null
  microsoftClientId: string | null
  microsoftClientSecret: string | null
  microsoftApiUrl: string
  microsoftAuthorityUrl: string
  microsoftKeysUrl: string | null
  microsoftIssuers: readonly string[] | null
}

export interface Surroundings {
  publicUrl: string
  /** What it listens on. */
  host: string
  planKeys: readonly string[]
  freePlan: string
  /** The text of a file, or what is wrong with it. */
  readFile: (path: string) => { value: string } | { wrong: string }
}

export type Chosen = { choice: MarketplaceChoice; warnings: string[] } | { problems: string[] }

/** Where only its owner can reach it, nobody is given for nothing what others pay for. */
const isHarmless = (publicUrl: string): boolean => publicUrl.startsWith('http:') && isLoopback(publicUrl)

/** As in a container, where the public address may well be of this machine. */
const isHeardOutside = (host: string): boolean => !isLoopbackHost(host === '::1' ? '[::1]' : host)

function plansOf(given: string | null, { planKeys, freePlan, readFile }: Surroundings, isSandbox: boolean) {
  if (given === null) {
    return isSandbox
      ? { plans: sandboxPlans(planKeys, freePlan) }
      : { problems: ['DOCVET_MARKETPLACE_PLANS must say which plan each marketplace plan stands for.'] }
  }
  const read = given.trimStart().startsWith('{') ? { value: given } : readFile(given)
  const parsed = 'wrong' in read ? { problems: [read.wrong] } : parsePlanMap(read.value, planKeys)
  if ('plans' in parsed) return parsed
  return { problems: parsed.problems.map((problem) => `DOCVET_MARKETPLACE_PLANS: ${problem}.`) }
}

function microsoft(settings: MarketplaceSettings, around: Surroundings): Chosen {
  const { microsoftTenantId: tenantId, microsoftClientId: clientId, microsoftClientSecret: clientSecret } = settings
  const table = plansOf(settings.marketplacePlans, around, false)
  const problems = 'problems' in table ? [...table.problems] : []
  if (tenantId === null) problems.push('DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_TENANT_ID.')
  if (clientId === null) problems.push('DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_CLIENT_ID.')
  if (clientSecret === null) problems.push('DOCVET_MARKETPLACE=microsoft needs DOCVET_MICROSOFT_CLIENT_SECRET.')
  if (tenantId === null || clientId === null || clientSecret === null || 'problems' in table) return { problems }
  const { microsoftApiUrl: apiUrl, microsoftAuthorityUrl: authorityUrl } = settings
  const { microsoftKeysUrl: keysUrl, microsoftIssuers: issuers } = settings
  const choice = {
    kind: 'microsoft' as const,
    plans: table.plans,
    tenantId,
    clientId,
    clientSecret,
    apiUrl,
    authorityUrl,
    keysUrl,
    issuers,
  }
  return { choice, warnings: [] }
}

function sandbox(settings: MarketplaceSettings, around: Surroundings): Chosen {
  const harmless = isHarmless(around.publicUrl)
  if (!harmless && settings.marketplace !== 'sandbox!') {
    const why = `gives paid plans away to everyone who can reach ${around.publicUrl}`
    return { problems: [`DOCVET_MARKETPLACE=sandbox ${why}. Allowed: microsoft or off, or sandbox! if you mean it.`] }
  }
  const table = plansOf(settings.marketplacePlans, around, true)
  if ('problems' in table) return { problems: table.problems }
  const warnings =
    harmless && !isHeardOutside(around.host)
      ? []
      : [
          'The sandbox marketplace is on: everyone who can reach the service gets any plan for nothing, and can see and ' +
            'cancel what others bought there.',
        ]
  const isMeant = settings.marketplace === 'sandbox!'
  return { choice: { kind: 'sandbox', plans: table.plans, isMeant }, warnings }
}

export function chooseMarketplace(settings: MarketplaceSettings, around: Surroundings): Chosen {
  const { marketplace, microsoftTenantId, microsoftClientId, microsoftClientSecret } = settings
  const chosen = marketplace ?? (isHarmless(around.publicUrl) && !isHeardOutside(around.host) ? 'sandbox' : 'off')
  if (chosen === 'microsoft') return microsoft(settings, around)
  const idle = [microsoftTenantId, microsoftClientId, microsoftClientSecret].some((each) => each !== null)
  const unused = idle
    ? [`DOCVET_MICROSOFT_… is set, but the marketplace is ${chosen}: set DOCVET_MARKETPLACE=microsoft.`]
    : []
  const result: Chosen = chosen === 'off' ? { choice: { kind: 'off' }, warnings: [] } : sandbox(settings, around)
  return 'problems' in result ? result : { ...result, warnings: [...result.warnings, ...unused] }
}
