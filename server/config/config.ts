/** Turns the environment into one frozen, typed configuration, or into a list of all its problems. */
import { readFileSync } from 'node:fs'
import { escapeControls } from '#base/escape-controls.ts'
import { isLoopback } from '#base/loopback.ts'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { type Policy, parsePolicy } from '#engines/embedded/policy/policy.ts'
import { listenerWarnings } from '#listeners/specification.ts'
import { chooseMarketplace } from '#marketplace/choice.ts'
import { type ObjectSource, parseSources } from '#objects/sources.ts'
import { type Provider, parseProviders } from '#oidc/providers.ts'
import { BUILT_IN_PLANS, FREE_PLAN, INTERNAL_PLAN, type Plans, parsePlans } from '#usage/plan.ts'
import { type EngineName, type Parsed, quote } from './parsers.ts'
import { SETTINGS, type Setting, type Values } from './settings.ts'
import { unknownNameWarnings, valueWarnings } from './warnings.ts'

type Env = Readonly<Record<string, string | undefined>>
type ReadText = (path: string) => string

/** Settings that only serve to compute other fields. */
type Input = Extract<keyof Values, 'plansFile' | 'marketplacePlans' | 'oidcProviders' | `microsoft${string}`>

export type Config = ReturnType<typeof loadConfig>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: string[]) {
    const escaped = problems.map(escapeControls)
    const count = escaped.length === 1 ? '1 problem' : `${escaped.length} problems`
    super([`The configuration has ${count}:`, ...escaped.map((problem) => `  - ${problem}`)].join('\n'))
    this.problems = escaped
  }
}

/** Settings that others need. */
function missing(values: Values, engines: readonly EngineName[]): string[] {
  const { clamdUrls, alertUrl, alertSecret, updatesUrl, updatesRoot } = values
  return [
    ...(engines.includes('clamd') && !clamdUrls
      ? ['DOCVET_ENGINES includes clamd, but DOCVET_CLAMD_URL is not set.']
      : []),
    ...(alertUrl && !alertSecret ? ['DOCVET_ALERT_URL is set, but DOCVET_ALERT_SECRET is not.'] : []),
    ...(updatesUrl && !updatesRoot
      ? ['DOCVET_UPDATES is set, but DOCVET_UPDATES_ROOT is not: without it nothing can be trusted.']
      : []),
  ]
}

export function loadConfig(env: Env, readText: ReadText = (path) => readFileSync(path, 'utf8')) {
  const { values, problems } = readSettings(env, readText)
  const table = values.plansFile ? readPlans(values.plansFile, readText) : { plans: BUILT_IN_PLANS }
  const policy = values.policyFile ? readPolicy(values.policyFile, readText) : { policy: null }
  const stores = readSources(values, readText)
  const signIn = readProviders(values, readText)
  problems.push(
    ...problemsOf(table, 'DOCVET_PLANS_FILE', values.plansFile),
    ...problemsOf(policy, 'DOCVET_POLICY', values.policyFile),
    ...problemsOf(stores, 'DOCVET_SOURCES_FILE', values.sourcesFile),
    ...problemsOf(signIn, 'DOCVET_OIDC_PROVIDERS', null),
  )
  const engines: EngineName[] = values.engines ?? (values.clamdUrls ? ['embedded', 'clamd'] : ['embedded'])
  if (problems.length === 0) problems.push(...missing(values, engines))
  if ('plans' in table && values.defaultPlan !== undefined && !Object.hasOwn(table.plans, values.defaultPlan)) {
    const allowed = Object.keys(table.plans).join(', ')
    problems.push(`DOCVET_DEFAULT_PLAN (got ${quote(values.defaultPlan)}): no such plan. Allowed: ${allowed}.`)
  }
  if (problems.length > 0 || !isGood(table) || !isGood(policy) || !isGood(stores) || !isGood(signIn))
    throw new ConfigError(problems)

  const { plans } = table
  const listenUrl = listenUrlOf(values.host, values.port)
  const publicUrl = values.publicUrl ?? listenUrl
  const marketplace = chooseMarketplace(values, {
    publicUrl,
    host: values.host,
    planKeys: Object.keys(plans),
    unsold: [FREE_PLAN, INTERNAL_PLAN],
    readFile: (path) => readFile(path, readText),
  })
  if ('problems' in marketplace) throw new ConfigError(marketplace.problems)

  const config = {
    ...withoutInputs(values),
    /** Scheme, host and port as a browser writes them: no trailing slash, no default port. */
    publicUrl,
    listenUrl,
    secure: publicUrl.startsWith('https:'),
    /** The public URL is on loopback. */
    isLocal: isLoopback(publicUrl),
    plans,
    /** At start; the engine watches the file. */
    policy: policy.policy,
    trustedProxies: values.trustedProxies ?? [],
    outboundAllow: values.outboundAllow ?? [],
    objectSources: stores.sources,
    signInProviders: signIn.providers,
    engines,
    clamdUrls: values.clamdUrls ?? [],
    listeners: [values.clamdListen, values.icapListen].flatMap((each) => each ?? []),
    marketplace: marketplace.choice,
  }
  const warnings = [
    ...valueWarnings(config),
    ...listenerWarnings(config.listeners),
    ...marketplace.warnings,
    ...unknownNameWarnings(env),
  ]
  return deepFreeze({ ...config, warnings })
}

/** A field is missing in `values` only if `problems` is not empty. */
function readSettings(env: Env, readText: ReadText): { values: Values; problems: string[] } {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [field, setting] of Object.entries(SETTINGS)) {
    const result = readSetting(setting, env, readText)
    if ('value' in result) values[field] = result.value
    else problems.push(result.problem)
  }
  return { values: values as Values, problems }
}

function withoutInputs(values: Values): Omit<Values, Input> {
  const isInput = (field: string) => /^(?:plansFile|marketplacePlans|oidcProviders|microsoft.*)$/.test(field)
  return Object.fromEntries(Object.entries(values).filter(([field]) => !isInput(field))) as Omit<Values, Input>
}

function readSetting(setting: Setting, env: Env, readText: ReadText): { value: unknown } | { problem: string } {
  const { name, secret, allowed } = setting
  const given = env[name] || null
  const path = (secret && env[`${name}_FILE`]) || null
  if (given && path) return { problem: `${name} and ${name}_FILE are both set. Allowed: only one of the two.` }

  // The path is not shown, because it may be the secret itself, set by mistake.
  const source = path
    ? `${name}_FILE (content not shown)`
    : `${name} (${secret ? 'value not shown' : `got ${quote(given ?? '')}`})`
  const refuse = (wrong: string, instead: string) => ({ problem: `${source}: ${wrong}. Allowed: ${instead}.` })

  const read: Parsed<string | null> = path ? readSecret(path, readText) : { value: given }
  if ('wrong' in read) return refuse(read.wrong, 'the path of a readable file that is not empty')
  const text = read.value ?? setting.default ?? null
  if (text === null) return { value: null }
  const parsed = setting.parse(text)
  return 'wrong' in parsed ? refuse(parsed.wrong, allowed) : parsed
}

function readSecret(path: string, readText: ReadText): Parsed<string> {
  const file = readFile(path, readText)
  if ('wrong' in file) return file
  const value = file.value.replace(/\r?\n$/, '')
  return value === '' ? { wrong: 'the file is empty' } : { value }
}

const isGood = <T extends object>(read: T | { problems: string[] }): read is T => !('problems' in read)

/** Without a path, the value is a secret. */
function problemsOf(read: object | { problems: string[] }, name: string, path: string | null): string[] {
  const problems: string[] = 'problems' in read ? read.problems : []
  const got = !path ? 'value not shown' : `got ${quote(path)}`
  return problems.map((problem) => `${name} (${got}): ${problem}`)
}

function readPlans(path: string, readText: ReadText): { plans: Plans } | { problems: string[] } {
  const file = readFile(path, readText)
  if ('wrong' in file) return { problems: [`${file.wrong}. Allowed: ${SETTINGS.plansFile.allowed}.`] }
  const text = file.value.replace(/^\uFEFF/, '')
  if (text.trim() === '') return { problems: ['the file is empty. Allowed: a JSON object with the plans.'] }
  try {
    return parsePlans(JSON.parse(text))
  } catch (error) {
    // The parser's message quotes the file, which may be the wrong one and contain secrets: only the position is kept.
    const position = /line \d+ column \d+/.exec(String(error))?.[0]
    const wrong = `the file is not valid JSON${position ? ` (${position})` : ''}`
    return { problems: [`${wrong}. Allowed: a JSON object with the plans.`] }
  }
}

function readPolicy(path: string, readText: ReadText): { policy: Policy } | { problems: string[] } {
  const file = readFile(path, readText)
  if ('wrong' in file) return { problems: [`${file.wrong}. Allowed: ${SETTINGS.policyFile.allowed}.`] }
  return parsePolicy(file.value)
}

/** At start, and again for changed credentials. */
export function readSources(
  { sourcesFile: path, outboundAllow: allowed }: Readonly<Pick<Values, 'sourcesFile' | 'outboundAllow'>>,
  readText: ReadText = (file) => readFileSync(file, 'utf8'),
): { sources: ObjectSource[] } | { problems: string[] } {
  if (!path) return { sources: [] }
  const file = readFile(path, readText)
  if ('wrong' in file) return { problems: [`${file.wrong}. Allowed: ${SETTINGS.sourcesFile.allowed}.`] }
  return parseSources(file.value, path, { readText, refusalOf: refusalsOf(allowed) })
}

function readProviders(
  { oidcProviders, passwords, outboundAllow, microsoftAuthorityUrl: authorityUrl }: Values,
  readText: ReadText,
): { providers: Provider[] } | { problems: string[] } {
  const list = oidcProviders ?? []
  if (passwords === 'off' && list.length === 0)
    return { problems: ['it has no provider, and DOCVET_PASSWORDS=off leaves no other way to sign in.'] }
  return parseProviders(list, { readText, refusalOf: refusalsOf(outboundAllow), authorityUrl })
}

/** Why a URL of the settings must not be called; null if it may be. */
function refusalsOf(allowed: Values['outboundAllow']) {
  const rules = createOutboundRules(allowed ?? [])
  return (url: string): string | null => {
    const target = rules.target(url)
    return target.kind === 'refused' ? target.why : null
  }
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder, not a file',
}

function readFile(path: string, readText: ReadText): Parsed<string> {
  try {
    return { value: readText(path) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return { wrong: FILE_ERRORS[code] ?? `the file cannot be read (${code})` }
  }
}

function listenUrlOf(host: string, port: number): string {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
