/** Public shape of usage. */
import { Type } from 'typebox'

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] })

export const UsageResponse = Type.Object({
  plan: Type.String({ examples: ['free'] }),
  period: Type.String({ description: 'The current UTC calendar month.', examples: ['2026-11'] }),
  scansUsed: count('Verdicts delivered in this period. Refused and failed scans are not counted.', 12),
  scansQuota: count('What the plan allows in this period.', 500),
  scansRemaining: count('What can still be scanned in this period.', 488),
})
