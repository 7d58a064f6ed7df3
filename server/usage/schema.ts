/** Schema of usage. */
import { Type } from 'typebox'

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] })

export const UsageResponse = Type.Object(
  {
    plan: Type.String({ examples: ['free'] }),
    period: Type.String({ description: 'The current UTC calendar month.', examples: ['2026-11'] }),
    scansUsed: count('Verdicts delivered in this period. Rejected and failed scans do not count.', 12),
    scansQuota: count('Scans that the plan allows in this period.', 500),
    scansRemaining: count('Scans left in this period.', 488),
  },
  { title: 'Usage', description: 'Scans used and left in the current month.' },
)
