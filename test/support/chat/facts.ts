/** An example installation. */
import type { Facts } from '#chat/facts.ts'

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
  scanRetentionDays: 90,
  addressRatePerMinute: 60,
  keyRatePerMinute: 1_200,
  chatPerDay: 1_000,
  marketplace: { kind: 'microsoft' },
  smtpUrl: null,
  isLocal: false,
}
