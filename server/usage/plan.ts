/** Plans and their limits. An operator can replace the built-in plans with a file. */
import type { Log } from '#base/log.ts'
import { type Principal, TEST_PLAN } from '#base/principal.ts'

type Plan = Record<keyof typeof IS_WHOLE, number>

export type Plans = Readonly<Record<string, Plan>>

/** The plan of new accounts, which every plans file must define. */
export const FREE_PLAN = 'free'

/** For a company's own installation: never sold, and shown only where new accounts get it. */
export const INTERNAL_PLAN = 'internal'

const AMOUNT_MAX = 1_000_000_000

export const BUILT_IN_PLANS: Plans = {
  free: { scansPerMonth: 500, keysPerMonth: 5, scansPerSecond: 1, burst: 10 },
  starter: { scansPerMonth: 10_000, keysPerMonth: 10, scansPerSecond: 5, burst: 20 },
  pro: { scansPerMonth: 50_000, keysPerMonth: 25, scansPerSecond: 20, burst: 60 },
  business: { scansPerMonth: 250_000, keysPerMonth: 50, scansPerSecond: 50, burst: 150 },
  enterprise: { scansPerMonth: 2_000_000, keysPerMonth: 200, scansPerSecond: 200, burst: 600 },
  // A quota that nobody reaches, and a rate above that of the workers, which are shared fairly among accounts.
  internal: { scansPerMonth: AMOUNT_MAX, keysPerMonth: 1_000, scansPerSecond: 10_000, burst: 10_000 },
}

/** Of all test keys of an account together, whatever its plan. */
const TEST_LIMITS: Plan = { scansPerMonth: 500, keysPerMonth: 5, scansPerSecond: 1, burst: 10 }

export const PLAN_NAME = /^[a-z][a-z0-9-]{0,31}$/

/** Only the rate may be fractional: 0.5 per second is one scan every two seconds. */
const IS_WHOLE = { scansPerMonth: true, keysPerMonth: true, scansPerSecond: false, burst: true }

/** Parses an operator's plans, or returns every problem with them. */
export function parsePlans(value: unknown): { plans: Plans } | { problems: string[] } {
  if (!isTable(value)) return { problems: ['the plans must be a JSON object that maps names to plans'] }
  const problems = Object.entries(value).flatMap(([name, fields]) => problemsOf(name, fields))
  if (!Object.hasOwn(value, FREE_PLAN)) problems.unshift(`the plan "${FREE_PLAN}", which new accounts get, is missing`)
  if (problems.length > 0) return { problems }
  // Without a prototype, names such as "constructor" are not found.
  return { plans: Object.assign(Object.create(null), structuredClone(value)) }
}

function problemsOf(name: string, fields: unknown): string[] {
  if (!PLAN_NAME.test(name)) {
    const rule = 'a lower-case letter, then at most 31 lower-case letters, digits and hyphens'
    return [`${quote(name)} is not a plan name: it must be ${rule}`]
  }
  const expected = Object.keys(IS_WHOLE).join(', ')
  if (!isTable(fields)) return [`plan "${name}" must be an object with ${expected}`]

  const problems = Object.keys(fields)
    .filter((field) => !Object.hasOwn(IS_WHOLE, field))
    .map((field) => `plan "${name}": ${quote(field)} is not a recognised field; allowed are ${expected}`)
  for (const [field, whole] of Object.entries(IS_WHOLE)) {
    const amount = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (isAmount(amount, whole)) continue
    const got = amount === undefined ? 'is missing' : `is ${quote(amount)}`
    const range = whole ? `a whole number from 1 to ${AMOUNT_MAX}` : `a number above 0 and at most ${AMOUNT_MAX}`
    problems.push(`plan "${name}": "${field}" ${got}; it must be ${range}`)
  }
  return problems
}

function isAmount(value: unknown, whole: boolean): value is number {
  // The bounds also reject infinities and NaN.
  return typeof value === 'number' && value > 0 && value <= AMOUNT_MAX && (!whole || Number.isInteger(value))
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Throws for an undefined plan: a default would give an account limits that nobody chose. */
export function planOf(plans: Plans, name: string): Plan {
  if (name === TEST_PLAN) return TEST_LIMITS
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined
  if (!plan) throw new Error(`The plan "${name}" is not defined`)
  return plan
}

/** The plans that users see. */
export const shownPlans = (plans: Plans, defaultPlan: string): Plans =>
  Object.fromEntries(Object.entries(plans).filter(([name]) => name !== INTERNAL_PLAN || name === defaultPlan))

/** At start, so that an operator who forgot a plan in the plans file sees it at once. */
export function logUnknownPlans(plans: Plans, inUse: readonly string[], log: Pick<Log, 'error'>): void {
  const unknown = inUse.filter((plan) => !Object.hasOwn(plans, plan))
  if (unknown.length > 0) log.error({ plans: unknown }, 'Accounts are on unknown plans; the free plan applies to them')
}

/** Applies the free plan to accounts whose stored plan is not defined, so that a bad row does not fail their requests. */
export function fallBackToFree(plans: Plans, log: Pick<Log, 'error'>) {
  const logged = new Set<string>()
  return <Who extends Principal | null>(principal: Who): Who => {
    if (principal === null || principal.plan === TEST_PLAN || Object.hasOwn(plans, principal.plan)) return principal
    const { accountId, plan } = principal
    if (!logged.has(accountId)) log.error({ accountId, plan }, 'Unknown plan of an account; the free plan applies')
    logged.add(accountId)
    return { ...principal, plan: FREE_PLAN }
  }
}
