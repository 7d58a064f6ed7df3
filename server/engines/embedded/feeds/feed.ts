/** What a list of the operator is: its side-car, and how a line of it becomes a key. */
import { isIP } from 'node:net'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  canonicalHost,
  canonicalUrl,
  HOST_LABELS_MAX,
  hashKey,
  hostKey,
  urlKey,
} from '#inspect/codecs/indicator-keys.ts'

export type FeedSettings = Type.Static<typeof SETTINGS>

export const SIDE_CAR_BYTES_MAX = 16_384

const SETTINGS = Type.Object(
  {
    kind: Type.Enum(['url', 'host', 'sha256']),
    action: Type.Enum(['malicious', 'suspicious', 'notice', 'allow']),
    /** Of a table: its name, or its number from 1 on. */
    column: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Integer({ minimum: 1, maximum: 1_000 })]),
    ),
    maxAgeHours: Type.Number({ exclusiveMinimum: 0, maximum: 87_600 }),
    source: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false },
)
const CHECK = Compile(SETTINGS)

/** A string is the reason why not. */
export function parseSettings(text: string): FeedSettings | string {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (CHECK.Check(value)) return value
    const [problem] = CHECK.Errors(value)
    return `has an invalid side-car (${problem?.instancePath.slice(1) || 'its fields'})`
  } catch {
    return 'has a side-car that is not JSON'
  }
}

/** A null is a line that names nothing. */
export const KEY_OF: Record<FeedSettings['kind'], (text: string) => string | null> = {
  url(text) {
    if (PLAIN_URL.test(text)) return urlKey(text)
    const url = /^(?:https?|ftp):\/\//i.test(text) ? URL.parse(text) : null
    const canonical = url === null ? null : canonicalUrl(url)
    return canonical === null ? null : urlKey(canonical)
  },
  host(text) {
    const host = isIP(text) === 6 ? `[${text}]` : text.replace(/^(?:\*?\.)/, '')
    if (/[\s/?#@\\]|^$|^[^[]*:/.test(host)) return null
    const url = URL.parse(`http://${host}/`)
    if (url === null) return null
    const name = canonicalHost(url)
    const labels = name.split('.')
    const isAddress = isIP(name) !== 0 || name.startsWith('[')
    // A list that names a whole top-level domain is a mistake.
    return isAddress || (labels.length > 1 && labels.length <= HOST_LABELS_MAX) ? hostKey(name) : null
  },
  sha256: (text) => (/^[0-9a-f]{64}$/i.test(text) ? hashKey(text) : null),
}

/** Already as `canonicalUrl` writes it, which is most lines: to parse them takes longer than the rest. */
const PLAIN_URL =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.){1,10}[a-z]{2,24}\/(?:[\w~!$&()*+,;=:@-]|\/(?!\.)|\.(?![./]))*(?:\?[\w~!$&()*+,;=:@/?.-]+)?$/
