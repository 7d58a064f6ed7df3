/** Schemas of events for collectors. */
import { Type } from 'typebox'

const EVENTS_LIMIT_MAX = 1_000
const CURSOR_LENGTH_MAX = 200

export const EventsQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['ocsf'], { type: 'string', description: 'Events of OCSF. Default: `ocsf`.', examples: ['ocsf'] }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: CURSOR_LENGTH_MAX,
      description: 'Only events after the one with this `unmapped.cursor`, which the header `Link` names as well.',
      examples: ['MTc5NTAwMDAwMDAwMC4wMTlhOGIxYy03ZjRlLTdjM2EtOWQyYi01ZTZmNzA4MTkyMDM'],
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Without a cursor: only scans that ended after this time.',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: EVENTS_LIMIT_MAX,
      description: `Scans per response, 1 to ${EVENTS_LIMIT_MAX}. Default: 500.`,
      examples: [100],
    }),
  ),
  names: Type.Optional(
    Type.Enum(['on', 'off'], {
      type: 'string',
      description: 'With `off`, documents are named by their SHA-256. Default: `on`.',
      examples: ['off'],
    }),
  ),
})

export const EventLines = Type.String({
  description: 'An event in JSON per line, the oldest first; empty if nothing has ended since.',
  examples: ['{"class_uid":6007,"activity_id":2}\n'],
})
