/** From the environment to one frozen, typed configuration, or to a list of everything that is wrong with it. */

import { readFileSync } from 'node:fs'
import { isLoopback } from '#base/loopback.ts'
import { chooseMarketplace, type MarketplaceChoice } from '#marketplace/choice.ts'
import { BUILT_IN_PLANS, FREE_PLAN, type Plans, parsePlans } from '#usage/plan.ts'
import { type EngineName, escapeControls, type Parsed, quote } from './setting-parsers.ts'
import { SETTINGS, type Setting } from './settings.ts'

type Env = Readonly<Record<string, string | undefined>>
type ReadText = (path: string) => string

type Declared = typeof SETTINGS
type ValueOf<S extends Setting> =
  S extends Setting<infer T> ? (S['default'] extends { text: string } ? T : T | null) : never
type Values = { -readonly [Field in keyof Declared]: ValueOf<Declared[Field]> }

type MarketplaceField = Extract<keyof Values, 'marketplace' | 'marketplacePlans' | `microsoft${string}`>

/** Every setting under its field name; the fields named here are finished from more than one variable. */
export interface Config
  extends Readonly<
    Omit<Values, 'publicUrl' | 'plansFile' | 'trustedProxies' | 'engines' | 'clamdUrls' | MarketplaceField>
  > {
  /** Scheme, host and port as a browser writes them: no slash at the end, no default port. */
  readonly publicUrl: string
  readonly secure: boolean
  /** The public address leads to this machine only. */
  readonly isLocal: boolean
  readonly plans: Plans
  readonly trustedProxies: string[]
  readonly engines: EngineName[]
  readonly clamdUrls: string[]
  readonly marketplace: MarketplaceChoice
  /** What the operator should hear about at start; none of it is a reason not to start. */
  readonly warnings: string[]
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: string[]) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
    super([`The configuration has ${count}:`, ...problems.map((problem) => `  - ${problem}`)].join('\n'))
    this.problems = problems
  }
}

export function loadConfig(env: Env, readText: ReadText = (path) => readFileSync(path, 'utf8')): Config {
  const problems: string[] = []
  const collected: Record<string, unknown> = {}
  for (const [field, setting] of Object.entries(SETTINGS)) {
    const result = readSetting(setting, env, readText)
    if ('value' in result) collected[field] = result.value
    else problems.push(result.problem)
  }
  // A field is only absent when its problem is noted, and then nothing below is handed out.
  const {
    publicUrl: givenUrl,
    plansFile,
    trustedProxies,
    engines: givenEngines,
    clamdUrls,
    marketplace,
    marketplacePlans,
    microsoftTenantId,
    microsoftClientId,
    microsoftClientSecret,
    microsoftApiUrl,
    microsoftAuthorityUrl,
    microsoftKeysUrl,
    microsoftIssuers,
    ...values
  } = collected as Values

  const table = plansFile ? readPlans(plansFile, readText) : { plans: BUILT_IN_PLANS }
  if ('problems' in table) {
    problems.push(...table.problems.map((problem) => `DOCVET_PLANS_FILE (got ${quote(plansFile ?? '')}): ${problem}`))
  }
  const engines: EngineName[] = givenEngines ?? (clamdUrls ? ['embedded', 'clamd'] : ['embedded'])
  if (engines.includes('clamd') && !clamdUrls && problems.length === 0) {
    problems.push('DOCVET_ENGINES names clamd, but DOCVET_CLAMD_URL does not say where it listens.')
  }
  if (problems.length > 0 || 'problems' in table) throw new ConfigError(problems.map(escapeControls))

  const publicUrl = givenUrl ?? listeningUrl(values.host, values.port)
  const isLocal = isLoopback(publicUrl)
  const chosen = marketplaceOf(collected as Values, publicUrl, table.plans, readText)
  return deepFreeze({
    ...values,
    publicUrl,
    secure: publicUrl.startsWith('https:'),
    isLocal,
    plans: table.plans,
    trustedProxies: trustedProxies ?? [],
    engines,
    clamdUrls: clamdUrls ?? [],
    marketplace: chosen.choice,
    warnings: [
      ...publicUrlWarnings(publicUrl),
      ...scanWarnings(values.unscannable, engines, clamdUrls),
      ...mailWarnings(values.smtpUrl, values.mailFrom.address, isLocal),
      ...chatWarnings(values),
      ...chosen.warnings,
      ...nameWarnings(env),
    ],
  })
}

function marketplaceOf(values: Values, publicUrl: string, plans: Plans, readText: ReadText) {
  const chosen = chooseMarketplace(values, {
    publicUrl,
    host: values.host,
    planKeys: Object.keys(plans),
    freePlan: FREE_PLAN,
    readFile: (path) => readFile(path, readText),
  })
  if ('problems' in chosen) throw new ConfigError(chosen.problems.map(escapeControls))
  return chosen
}

function scanWarnings(unscannable: string, engines: readonly EngineName[], clamdUrls: string[] | null): string[] {
  const warnings: string[] = []
  if (unscannable === 'clean') {
    warnings.push('DOCVET_UNSCANNABLE=clean: documents that nobody could look into will be called clean.')
  }
  if (clamdUrls && !engines.includes('clamd')) {
    warnings.push('DOCVET_CLAMD_URL is set, but DOCVET_ENGINES leaves clamd out: it will not be asked.')
  }
  return warnings
}

function mailWarnings(smtpUrl: string | null, sender: string, isLocal: boolean): string[] {
  if (smtpUrl === null) {
    if (isLocal) return []
    return [
      'DOCVET_SMTP_URL is not set: nobody gets mail, such as reset links. It is written to the data folder instead.',
    ]
  }
  if (!sender.endsWith('@localhost')) return []
  return [`DOCVET_MAIL_FROM should be set: many mail servers refuse mail from ${sender}.`]
}

function chatWarnings({ chatUrl, chatModel, chatKey }: Pick<Values, 'chatUrl' | 'chatModel' | 'chatKey'>): string[] {
  const warnings: string[] = []
  if ((chatUrl === null) !== (chatModel === null)) {
    const missing = chatUrl === null ? 'DOCVET_CHAT_URL' : 'DOCVET_CHAT_MODEL'
    warnings.push(`The assistant needs ${missing} too: it is not configured without.`)
  }
  if (chatUrl?.startsWith('http:') && chatKey && !isLoopback(chatUrl)) {
    warnings.push('DOCVET_CHAT_URL is not https: DOCVET_CHAT_KEY and every question go over the network in clear.')
  }
  return warnings
}

function readSetting(setting: Setting, env: Env, readText: ReadText): { value: unknown } | { problem: string } {
  const { name, secret, allowed } = setting
  const given = env[name] || null
  const path = (secret && env[`${name}_FILE`]) || null
  if (given && path) return { problem: `${name} and ${name}_FILE are both set. Allowed: only one of the two.` }

  // The path is not shown either: people put the secret itself there by mistake.
  const source = path
    ? `${name}_FILE (content not shown)`
    : `${name} (${secret ? 'value not shown' : `got ${quote(given ?? '')}`})`
  const refuse = (wrong: string, instead: string) => ({ problem: `${source}: ${wrong}. Allowed: ${instead}.` })

  const read: Parsed<string | null> = path ? readSecret(path, readText) : { value: given }
  if ('wrong' in read) return refuse(read.wrong, 'the path of a file that can be read and is not empty')
  const text = read.value ?? ('text' in setting.default ? setting.default.text : null)
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

function readPlans(path: string, readText: ReadText): { plans: Plans } | { problems: string[] } {
  const file = readFile(path, readText)
  if ('wrong' in file) return { problems: [`${file.wrong}. Allowed: ${SETTINGS.plansFile.allowed}.`] }
  const text = file.value.replace(/^\uFEFF/, '')
  if (text.trim() === '') return { problems: ['the file is empty. Allowed: a JSON object with the plans.'] }
  try {
    return parsePlans(JSON.parse(text))
  } catch (error) {
    // The parser's own message quotes the file, which may be a wrong one with secrets in it: only the place is kept.
    const place = /line \d+ column \d+/.exec(String(error))?.[0]
    return {
      problems: [`the file is not valid JSON${place ? ` (${place})` : ''}. Allowed: a JSON object with the plans.`],
    }
  }
}

function readFile(path: string, readText: ReadText): Parsed<string> {
  try {
    return { value: readText(path) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'ENOENT') return { wrong: 'the file does not exist' }
    if (code === 'EACCES') return { wrong: 'the file may not be read by this user' }
    if (code === 'EISDIR') return { wrong: 'it is a folder, not a file' }
    return { wrong: `the file cannot be read (${code})` }
  }
}

function listeningUrl(host: string, port: number): string {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin
}

function publicUrlWarnings(publicUrl: string): string[] {
  const nowhere = ['0.0.0.0', '[::]'].includes(new URL(publicUrl).hostname)
  return nowhere ? [`DOCVET_PUBLIC_URL should be set: ${publicUrl} is not an address that people can use.`] : []
}

function nameWarnings(env: Env): string[] {
  const settings: Setting[] = Object.values(SETTINGS)
  const known = settings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])) as string[]
  return Object.keys(env)
    .filter((name) => name.startsWith('DOCVET_') && env[name] && !known.includes(name))
    .sort()
    .map((name) => {
      const base = name.replace(/_FILE$/, '')
      const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name
      if (known.includes(base)) return `${name} has no effect: only secrets are read from files. Set ${base} itself.`
      const near = nearest(name, known)
      return escapeControls(
        near ? `${shown} is not a setting. Did you mean ${near}?` : `${shown} is not a setting and has no effect.`,
      )
    })
}

/** The known name that differs least, if fewer than about a third of its letters do. */
function nearest(name: string, known: readonly string[]): string | null {
  const written = name.slice('DOCVET_'.length).toUpperCase()
  let best: { name: string; edits: number } | null = null
  for (const candidate of known) {
    const right = candidate.slice('DOCVET_'.length)
    const editsMax = Math.floor(right.length / 3)
    if (Math.abs(right.length - written.length) > editsMax) continue
    const edits = editDistance(written, right)
    if (edits <= editsMax && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name: candidate, edits }
  }
  return best?.name ?? null
}

/** Letters to add, drop, change or swap with their neighbour to get from one word to the other. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const changed = from[i - 1] === to[j - 1] ? 0 : 1
      const edits = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(swapped ? Math.min(edits, at(i - 2, j - 2) + 1) : edits)
    }
  }
  return at(from.length, to.length)
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
