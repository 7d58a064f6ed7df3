/** Describes this installation in words, for the prompt and for the placeholders in the articles. */
import type { EngineHealth, Obstacle } from '#engines/engine.ts'
import type { Plans } from '#usage/plan.ts'
import { shareOf } from './daily-limit.ts'

export interface Facts {
  publicUrl: string
  plans: Plans
  /** The plan of a new account. */
  freePlan: string
  fileBytesMax: number
  engines: readonly Pick<EngineHealth, 'name' | 'status'>[]
  unscannable: 'refuse' | 'infected' | 'clean'
  sensitivity: string
  scanDeadlineMs: number
  addressRatePerMinute: number
  keyRatePerMinute: number
  chatPerDay: number
  marketplace: { kind: 'off' | 'sandbox' | 'microsoft' }
  /** Null if mail is written to files. */
  smtpUrl: string | null
  /** Whether only this machine can reach the service. */
  isLocal: boolean
}

/** Values for the placeholders `{{name}}` in the articles. */
export type Placeholders = Readonly<Record<string, string>>

const MB = 1_048_576

const count = (value: number): string => value.toLocaleString('en-US')

type Policy = Facts['unscannable']

const CODES: Record<Obstacle, [code: string, threat: string]> = {
  encrypted: ['encrypted_document', 'Docvet.Unscannable.Encrypted'],
  damaged: ['damaged_document', 'Docvet.Unscannable.Damaged'],
  too_complex: ['document_too_complex', 'Docvet.Unscannable.TooComplex'],
}

/** The result of a scan that meets this obstacle; follows "If …,". */
function consequence(policy: Policy, obstacle: Obstacle): string {
  const [code, threat] = CODES[obstacle]
  if (policy === 'refuse') return `the answer is 422 \`${code}\``
  return policy === 'infected'
    ? `it is reported as \`infected\`, with the threat \`${threat}\``
    : 'it is reported as `clean` in this installation'
}

function casesInWords(policy: Policy): string {
  if (policy === 'clean') return 'This applies to encrypted, damaged and too complex documents.'
  const after = (obstacle: Obstacle) => consequence(policy, obstacle)
  return `If a password is needed, ${after('encrypted')}. If the structure cannot be read, ${after('damaged')}. If the document is nested too deep or expands too much, ${after('too_complex')}.`
}

const FULLY_SCANNED =
  '`clean` means that every engine scanned the whole document, including every part of it, and found nothing.'

const UNSCANNABLE: Record<Policy, { clean: string; said: string; charge: string }> = {
  refuse: {
    clean: FULLY_SCANNED,
    said: 'A document that cannot be fully scanned is rejected with an error and a reason, and gets no verdict.',
    charge: 'None of them is charged.',
  },
  infected: {
    clean: FULLY_SCANNED,
    said: 'A document that cannot be fully scanned is reported as `infected` in this installation.',
    charge: 'This is a verdict and is charged like any other.',
  },
  clean: {
    clean: '`clean` means that the engines found nothing in the parts that they could scan.',
    said: 'A document that cannot be fully scanned is reported as `clean` in this installation, at the risk of its operator.',
    charge: 'This is a verdict and is charged like any other.',
  },
}

function unscannableInWords(policy: Policy): Record<string, string> {
  const { clean, said, charge } = UNSCANNABLE[policy]
  return {
    clean_means: clean,
    unscannable: said,
    unscannable_cases: casesInWords(policy),
    unscannable_charge: charge,
    if_encrypted: consequence(policy, 'encrypted'),
    if_too_complex: consequence(policy, 'too_complex'),
  }
}

function marketplaceInWords({ marketplace, publicUrl }: Facts): { marketplace: string; larger_plan: string } {
  switch (marketplace.kind) {
    case 'off':
      return {
        marketplace: 'No marketplace is connected to this installation, so plans cannot be bought here.',
        larger_plan: 'No marketplace is connected to this installation: ask its operator for a larger plan.',
      }
    case 'sandbox':
      return {
        marketplace: `This installation uses a sandbox instead of a marketplace, at ${publicUrl}/sandbox: everything works, and purchases are free.`,
        larger_plan: `For a larger plan, buy a subscription in the sandbox marketplace at ${publicUrl}/sandbox, where purchases are free; the plan applies while the subscription is active.`,
      }
    case 'microsoft':
      return {
        marketplace: "Plans for this installation are sold in Microsoft's commercial marketplace.",
        larger_plan:
          'For a larger plan, buy a subscription in the marketplace; the plan applies while the subscription is active. The marketplace shows the prices and handles payments and refunds.',
      }
  }
}

function mailInWords({ smtpUrl, isLocal }: Facts): string {
  if (smtpUrl !== null) return 'Mail is sent through the mail server of the operator.'
  const written = 'Without a mail server, mail is written to the folder outbox in the data folder'
  return isLocal
    ? `${written}, and the log contains its file name and links.`
    : `${written}, and the log contains its file name.`
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
  const plans = Object.entries(facts.plans)
  const free = facts.plans[facts.freePlan]
  return {
    url: facts.publicUrl,
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
    ...unscannableInWords(facts.unscannable),
    ...marketplaceInWords(facts),
    mail: mailInWords(facts),
    sensitivity: facts.sensitivity,
    deadline: `${count(facts.scanDeadlineMs / 1000)} seconds`,
    address_rate: count(facts.addressRatePerMinute),
    third_rate: count(Math.ceil(facts.addressRatePerMinute / 3)),
    key_rate: count(facts.keyRatePerMinute),
    chat_per_day: count(facts.chatPerDay),
    chat_share: count(shareOf(facts.chatPerDay).burst),
  }
}

/** The facts in every prompt. */
export function factsInWords(values: Placeholders): string {
  return [
    `The URL of the service is ${values.url}, its API reference is at ${values.url}/docs, its problems are explained at ${values.url}/problems.`,
    `Plans: ${values.plans} A new account is on \`${values.free_plan}\`.`,
    `A document may have up to ${values.file_max}. Docvet accepts PDF, Office documents, text and ZIP.`,
    'A scan answers with the fields scanId, status (clean or infected), threat (its name, null when clean), fileName, fileSize, contentType and scannedAt, or with a problem that has a code and a reason.',
    `Engines: ${values.engines}`,
    `${values.clean_means} ${values.unscannable} ${values.unscannable_charge}`,
    `${values.marketplace} ${values.larger_plan}`,
    'Documents are never stored and never logged.',
  ].join('\n')
}
