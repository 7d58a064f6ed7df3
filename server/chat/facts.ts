/** What is true of this installation now, in words: for the prompt, and for the places in the articles. */

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
}

const MB = 1_048_576

const count = (value: number): string => value.toLocaleString('en-US')

const UNSCANNABLE = {
  refuse: 'That is how this installation is set.',
  infected: 'This installation is set to call such documents infected instead.',
  clean: 'This installation is set to call such documents clean instead, at the risk of its operator.',
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
          `\`${name}\` has ${count(plan.scansPerMonth)} scans a month per key, ${count(plan.keysPerMonth)} keys in one month and ${count(plan.scansPerSecond)} scans a second (burst ${count(plan.burst)}).`,
      )
      .join(' '),
    rates: `${plans.map(([name, plan]) => `\`${name}\` ${count(plan.scansPerSecond)} a second (burst ${count(plan.burst)})`).join(', ')}.`,
    free_plan: facts.freePlan,
    free_scans: count(free?.scansPerMonth ?? 0),
    free_keys: count(free?.keysPerMonth ?? 0),
    file_max: `${count(Math.floor(facts.fileBytesMax / MB))} MB (${count(facts.fileBytesMax)} bytes)`,
    engines: enginesInWords(facts.engines),
    engine_names: facts.engines.map(({ name }) => `\`${name}\``).join(' and ') || 'none is configured',
    unscannable: UNSCANNABLE[facts.unscannable],
    sensitivity: facts.sensitivity,
    deadline: `${count(facts.scanDeadlineMs / 1000)} seconds`,
    address_rate: count(facts.addressRatePerMinute),
    key_rate: count(facts.keyRatePerMinute),
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
    'Documents are never stored and never logged.',
  ].join('\n')
}
