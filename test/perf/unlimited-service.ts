/** The service as `npm start` runs it, with a plan that has no limit in practice. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ALL_WORKERS, AS_NPM_START, type Service, startService, temporaryFolder } from '#test/support/service.ts'

const PLAN = { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 }

export function startUnlimited(settings: Record<string, string> = {}): Promise<Service> {
  const plans = path.join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(plans, JSON.stringify({ free: PLAN }))
  const { env, nodeOptions } = AS_NPM_START
  return startService(
    { ...ALL_WORKERS, ...env, DOCVET_PLANS_FILE: plans, ...settings },
    { nodeOptions, discardLog: true },
  )
}
