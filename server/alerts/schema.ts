/** Schemas of alerts. */
import { Type } from 'typebox'

const mail = Type.Boolean({
  description: 'Whether the owner of the account gets mail about infected documents, at most one in an hour.',
  examples: [false],
})

export const AlertSettings = Type.Object(
  { mail },
  { title: 'AlertSettings', description: 'Who gets mail about infected documents.' },
)

export const ChangeAlertsRequest = Type.Object(
  { mail },
  { title: 'ChangeAlertsRequest', description: 'The new settings.', additionalProperties: false },
)
