/** Which of our plans an offer and plan of the marketplace stands for. There is no default: what is not on the map is not sold. */

/** Under `<offerId>/<planId>`, the key of one of our plans. */
export type PlanMap = Readonly<Record<string, string>>

export const SANDBOX_OFFER = 'docvet'

/** One name for an offer's plan, as it stands in the configuration. */
const entryName = (offerId: string, planId: string): string => `${offerId}/${planId}`

export function planKeyOf(map: PlanMap, offerId: string, planId: string): string | null {
  const name = entryName(offerId, planId)
  return Object.hasOwn(map, name) ? (map[name] ?? null) : null
}

/** Sells every plan but the one that costs nothing. */
export function sandboxPlans(planKeys: readonly string[], freePlan: string): PlanMap {
  const sold = planKeys.filter((key) => key !== freePlan)
  return Object.fromEntries(sold.map((key) => [entryName(SANDBOX_OFFER, key), key]))
}

const ENTRY = /^[^/\s]{1,100}\/[^/\s]{1,100}$/

/** A map from outside: either good as a whole, or everything that is wrong with it. */
export function parsePlanMap(text: string, planKeys: readonly string[]): { plans: PlanMap } | { problems: string[] } {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
    return { problems: ['it is not a JSON object like {"<offerId>/<planId>": "pro"}'] }
  }
  const problems: string[] = []
  for (const [name, key] of Object.entries(value)) {
    if (!ENTRY.test(name)) problems.push(`${quote(name)} is not <offerId>/<planId>`)
    if (!planKeys.includes(key)) problems.push(`${quote(name)} stands for ${quote(key)}, which is not a plan`)
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
