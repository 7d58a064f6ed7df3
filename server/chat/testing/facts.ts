/** An installation as it might be, for tests. */
import type { Facts } from '#chat/facts.ts'

/** Of problems. */
export const STATUSES = [400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 431, 500, 502, 503]

export const FACTS: Facts = {
  publicUrl: 'https://scan.docvet.test',
  plans: {
    free: { scansPerMonth: 500, keysPerMonth: 5, scansPerSecond: 1, burst: 10 },
    team: { scansPerMonth: 123_456, keysPerMonth: 42, scansPerSecond: 0.5, burst: 7 },
  },
  freePlan: 'free',
  fileBytesMax: 26_214_400,
  engines: [
    { name: 'embedded', status: 'UP' },
    { name: 'clamd', status: 'UP' },
  ],
  unscannable: 'refuse',
  sensitivity: 'standard',
  scanDeadlineMs: 30_000,
  addressRatePerMinute: 60,
  keyRatePerMinute: 1_200,
  chatPerDay: 1_000,
  marketplace: { kind: 'microsoft' },
  smtpUrl: null,
  isLocal: false,
}
