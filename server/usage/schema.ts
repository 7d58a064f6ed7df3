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

const period = Type.String({
  pattern: '^[0-9]{4}-(?:0[1-9]|1[0-2])$',
  'x-form': 'a month',
  description: 'A UTC calendar month.',
  examples: ['2026-11'],
})

export const MonthParams = Type.Object({ period })

const DayUsage = Type.Object(
  {
    date: Type.String({ format: 'date', examples: ['2026-11-14'] }),
    scansUsed: count('Verdicts delivered on this UTC day.', 4),
  },
  { title: 'DayUsage' },
)

const KeyMonth = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] }),
    name: Type.String({ examples: ['Build server'] }),
    keyPrefix: Type.String({ examples: ['dv_live_aB3d'] }),
    lastFour: Type.String({ examples: ['x9Qz'] }),
    status: Type.Enum(['active', 'revoked', 'expired'], { type: 'string' }),
    scansUsed: count('Verdicts delivered to this key in the month.', 12),
    scansByDay: Type.Array(Type.Integer({ format: 'int64', minimum: 0 }), {
      description: 'The same by day: one number for each entry of `days`.',
      examples: [[4, 8]],
    }),
  },
  { title: 'KeyMonth' },
)

export const MonthUsage = Type.Object(
  {
    period,
    scansUsed: count('Verdicts delivered in the month.', 12),
    days: Type.Array(DayUsage, { description: 'Every day of the month.' }),
    keys: Type.Array(KeyMonth, {
      description: 'Oldest first. Revoked and expired keys are listed for the months in which they scanned.',
    }),
  },
  { title: 'MonthUsage', description: 'Scans of one month by day and by key.' },
)
