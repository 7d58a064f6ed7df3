/** Describes this installation in words, for the prompt and for the placeholders in the articles. */
import { readFileSync } from 'node:fs'
import type { Config } from '#config/config.ts'
import type { EngineHealth } from '#engines/engine.ts'
import { fillIn } from './articles.ts'
import { shareOf } from './daily-limit.ts'

type Settings =
  | 'publicUrl'
  | 'plans'
  | 'unscannable'
  | 'sensitivity'
  | 'scanDeadlineMs'
  | 'scanRetentionDays'
  | 'addressRatePerMinute'
  | 'keyRatePerMinute'
  | 'chatPerDay'
  | 'smtpUrl'
  | 'isLocal'

export interface Facts extends Pick<Config, Settings> {
  /** The plan of a new account. */
  freePlan: string
  fileBytesMax: number
  engines: readonly Pick<EngineHealth, 'name' | 'status'>[]
  marketplace: Pick<Config['marketplace'], 'kind'>
}

/** Values for the placeholders `{{name}}` in the articles. */
export type Placeholders = Readonly<Record<string, string>>

interface Texts {
  unscannable: Record<Facts['unscannable'], Placeholders>
  marketplace: Record<Facts['marketplace']['kind'], { sold: string; larger: string }>
  mail: Record<'server' | 'local' | 'remote', string>
  /** The facts in every prompt. */
  prompt: string[]
}

const TEXTS: Texts = JSON.parse(readFileSync(new URL('./facts.json', import.meta.url), 'utf8'))

const MB = 1_048_576

const count = (value: number): string => value.toLocaleString('en-US')

function mailInWords({ smtpUrl, isLocal }: Facts): string {
  if (smtpUrl !== null) return TEXTS.mail.server
  return isLocal ? TEXTS.mail.local : TEXTS.mail.remote
}

function enginesInWords(engines: Facts['engines']): string {
  if (engines.length === 0) return 'no engine is configured, so nothing can be scanned.'
  const states = engines.map(({ name, status }) => `the engine ${name} is ${status === 'UP' ? 'up' : 'down'}`)
  const areAllUp = engines.every(({ status }) => status === 'UP')
  const effect = areAllUp ? 'documents can be scanned' : 'documents cannot be scanned until every engine is up'
  return `${states.join(', ')}; ${effect}.`
}

const scansASecond = (value: number): string => `${count(value)} ${value === 1 ? 'scan' : 'scans'} a second`

export function placeholdersOf(facts: Facts): Record<string, string> {
  const { publicUrl: url } = facts
  const plans = Object.entries(facts.plans)
  const free = facts.plans[facts.freePlan]
  const { sold, larger } = TEXTS.marketplace[facts.marketplace.kind]
  return {
    url,
    plans: plans
      .map(
        ([name, plan]) =>
          `\`${name}\` has ${count(plan.scansPerMonth)} scans a month per key, ${count(plan.keysPerMonth)} keys in one month and ${scansASecond(plan.scansPerSecond)} (burst ${count(plan.burst)}).`,
      )
      .join(' '),
    rates: `${plans.map(([name, plan]) => `\`${name}\` ${count(plan.scansPerSecond)} a second (burst ${count(plan.burst)})`).join(', ')}.`,
    free_plan: facts.freePlan,
    free_scans: count(free?.scansPerMonth ?? 0),
    free_keys: count(free?.keysPerMonth ?? 0),
    file_max: `${count(Math.floor(facts.fileBytesMax / MB))} MB (${count(facts.fileBytesMax)} bytes)`,
    engines: enginesInWords(facts.engines),
    engine_names: facts.engines.map(({ name }) => `\`${name}\``).join(' and ') || 'none is configured',
    ...TEXTS.unscannable[facts.unscannable],
    marketplace: fillIn(sold, { url }),
    larger_plan: fillIn(larger, { url }),
    mail: mailInWords(facts),
    sensitivity: facts.sensitivity,
    deadline: `${count(facts.scanDeadlineMs / 1000)} seconds`,
    retention:
      facts.scanRetentionDays === 0
        ? 'In this installation no reports are stored.'
        : `Reports are deleted after ${count(facts.scanRetentionDays)} days.`,
    address_rate: count(facts.addressRatePerMinute),
    third_rate: count(Math.ceil(facts.addressRatePerMinute / 3)),
    key_rate: count(facts.keyRatePerMinute),
    chat_per_day: count(facts.chatPerDay),
    chat_share: count(shareOf(facts.chatPerDay).burst),
  }
}

export const factsInWords = (values: Placeholders): string => fillIn(TEXTS.prompt.join('\n'), values)
