/** What is true of this installation now, in words: for the prompt, and for the places in the articles. */
import { shareOf } from './budget.ts'

export interface Facts {
  publicUrl: string
  plans: Readonly<
    Record<string, { scansPerMonth: number; keysPerMonth: number; scansPerSecond: number; burst: number }>
  >
  /** The plan of a new account. */
  freePlan: string
  fileBytesMax: number
  engines: readonly { name: string; status: 'UP' | 'DOWN' }[]
  unscannable: 'refuse' | 'infected' | 'clean'
  sensitivity: string
  scanDeadlineMs: number
  addressRatePerMinute: number
  keyRatePerMinute: number
  chatPerDay: number
  marketplace: { kind: 'off' | 'sandbox' | 'microsoft' }
  /** Null: mail becomes files. */
  smtpUrl: string | null
  /** Whether only this machine can reach the service. */
  isLocal: boolean
}

const MB = 1_048_576

const count = (value: number): string => value.toLocaleString('en-US')

type Policy = Facts['unscannable']
type Obstacle = 'encrypted' | 'damaged' | 'too_complex'

const CODES: Record<Obstacle, [code: string, threat: string]> = {
  encrypted: ['encrypted_document', 'Docvet.Unscannable.Encrypted'],
  damaged: ['damaged_document', 'Docvet.Unscannable.Damaged'],
  too_complex: ['document_too_complex', 'Docvet.Unscannable.TooComplex'],
}

/** What comes of a document with this obstacle: after "If …," */
function consequence(policy: Policy, obstacle: Obstacle): string {
  const [code, threat] = CODES[obstacle]
  if (policy === 'refuse') return `the answer is 422 \`${code}\``
  return policy === 'infected'
    ? `it is called \`infected\`, with the threat \`${threat}\``
    : 'it is called `clean` in this installation'
}

/** Each obstacle on its own; there is nothing to tell apart where all of them come out the same. */
function casesInWords(policy: Policy): string {
  if (policy === 'clean') return 'That goes for encrypted, damaged and too complex ones.'
  const [encrypted, damaged, complex] = (['encrypted', 'damaged', 'too_complex'] as const).map((obstacle) =>
    consequence(policy, obstacle),
  )
  return `If a password is needed, ${encrypted}. If its structure cannot be read, ${damaged}. If it is nested too deep or unpacks to too much, ${complex}.`
}

const LOOKED_AT_WHOLE =
  '`clean` means that every engine looked at the whole document, every part of it, and found nothing.'

const UNSCANNABLE: Record<Policy, { clean: string; said: string; charge: string }> = {
  refuse: {
    clean: LOOKED_AT_WHOLE,
    said: 'A document that cannot be looked into completely gets an error with a reason instead of a verdict.',
    charge: 'None of them is charged.',
  },
  infected: {
    clean: LOOKED_AT_WHOLE,
    said: 'A document that cannot be looked into completely is called `infected` in this installation.',
    charge: 'That is a verdict, and charged like any other.',
  },
  clean: {
    clean: '`clean` means that the engines found nothing in what they could look into.',
    said: 'A document that cannot be looked into completely is called `clean` in this installation, at the risk of its operator.',
    charge: 'That is a verdict, and charged like any other.',
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
        marketplace: 'No marketplace is connected to this installation, so nothing can be bought here now.',
        larger_plan: 'No marketplace is connected to this installation: ask its operator for a larger plan.',
      }
    case 'sandbox':
      return {
        marketplace: `This installation has a sandbox in place of a marketplace, at ${publicUrl}/sandbox: everything works, and nothing is paid.`,
        larger_plan: `A larger plan comes with a subscription from the sandbox marketplace at ${publicUrl}/sandbox, where nothing is paid; it applies while the subscription is active.`,
      }
    case 'microsoft':
      return {
        marketplace: "Plans of this installation are bought in Microsoft's commercial marketplace.",
        larger_plan:
          'A larger plan comes with a subscription from the marketplace; it applies while the subscription is active. Prices are shown in the marketplace, not here, and payment and refunds are its matter too.',
      }
  }
}

function mailInWords({ smtpUrl, isLocal }: Facts): string {
  if (smtpUrl !== null) return 'Mail is sent by the mail server of the operator.'
  const kept = 'Without a mail server, mail is written to the folder outbox in the data folder'
  return isLocal ? `${kept}, and the log names its file and the links in it.` : `${kept}, and the log names its file.`
}

function enginesInWords(engines: Facts['engines']): string {
  if (engines.length === 0) return 'no engine is configured, so nothing can be scanned.'
  const down = engines.filter(({ status }) => status === 'DOWN').map(({ name }) => name)
  const states = engines.map(({ name, status }) => `the engine ${name} is ${status === 'UP' ? 'up' : 'down'}`)
  const so = down.length === 0 ? 'documents can be scanned' : 'documents cannot be scanned until it is up again'
  return `${states.join(', ')}; ${so}.`
}

/** The values for the places in the articles. */
export function placesOf(facts: Facts): Record<string, string> {
  const plans = Object.entries(facts.plans)
  const free = facts.plans[facts.freePlan]
  return {
    url: facts.publicUrl,
    plans: plans
      .map(
        ([name, plan]) =>
          `\`${name}\` has ${count(plan.scansPerMonth)} scans a month per key, ${count(plan.keysPerMonth)} keys in one month and ${count(plan.scansPerSecond)} ${plan.scansPerSecond === 1 ? 'scan' : 'scans'} a second (burst ${count(plan.burst)}).`,
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

/** The facts that every prompt carries, whatever was asked. */
export function factsInWords(places: Readonly<Record<string, string>>): string {
  return [
    `The address of the service is ${places.url}, its reference is at ${places.url}/docs, its problems are explained at ${places.url}/problems.`,
    `Plans: ${places.plans} A new account is on \`${places.free_plan}\`.`,
    `A document may have up to ${places.file_max}. Accepted are PDF, Office documents, text and ZIP.`,
    'A scan answers with the fields scanId, status (clean or infected), threat (its name, null when clean), fileName, fileSize, contentType and scannedAt, or with a problem that has a code and a reason.',
    `Engines: ${places.engines}`,
    `${places.clean_means} ${places.unscannable} ${places.unscannable_charge}`,
    `${places.marketplace} ${places.larger_plan}`,
    'Documents are never stored and never logged.',
  ].join('\n')
}
