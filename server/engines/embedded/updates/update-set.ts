/** A set of rules from the channel, and the file that keeps the one in use with the metadata that proves it. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { messageOf } from '#base/message-of.ts'
import { readText } from '#engines/embedded/rules/rule-files.ts'

export const SET_BYTES_MAX = 16 * 1024 * 1024
const RULE_FILES_MAX = 1_000
const LISTS_MAX = 50
/** Of all lists of a set together. */
export const INDICATORS_MAX = 200_000
/** Rows of a table. */
const BRANDS_MAX = 1_000
const DOMAINS_MAX = 50
const ROWS_MAX = 5_000
/** The set before, and metadata, are in it as well. */
const STATE_BYTES_MAX = 4 * SET_BYTES_MAX

const HOST = Type.String({
  pattern: /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.){1,9}[a-z0-9-]{2,63}$/,
  maxLength: 253,
})
/** Each adds to the built-in one, and takes nothing from it. */
const Tables = Type.Object(
  {
    brands: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ pattern: /^[a-z0-9]{3,40}$/ }),
            domains: Type.Array(HOST, { minItems: 1, maxItems: DOMAINS_MAX }),
            isCommon: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
        { maxItems: BRANDS_MAX },
      ),
    ),
    hosts: Type.Optional(
      Type.Array(
        Type.Object(
          { host: HOST, kind: Type.Enum(['shortener', 'tunnel', 'ipfs', 'dynamicDns']) },
          { additionalProperties: false },
        ),
        { maxItems: ROWS_MAX },
      ),
    ),
    suffixes: Type.Optional(Type.Array(HOST, { maxItems: ROWS_MAX })),
    lookalikes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            letter: Type.String({ pattern: /^[^\0-\x7f]{1,2}$/ }),
            shape: Type.String({ pattern: /^[a-z0-9]{1,3}$/ }),
          },
          { additionalProperties: false },
        ),
        { maxItems: ROWS_MAX },
      ),
    ),
  },
  { additionalProperties: false },
)
/** As a list of an operator, without one that allows. */
const List = Type.Object(
  {
    name: Type.String({ pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/ }),
    kind: Type.Enum(['url', 'host', 'sha256']),
    action: Type.Enum(['malicious', 'suspicious', 'notice']),
    source: Type.String({ minLength: 1, maxLength: 200 }),
    indicators: Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), { minItems: 1, maxItems: INDICATORS_MAX }),
  },
  { additionalProperties: false },
)
const RuleSet = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  publishedAt: Type.String({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/ }),
  rules: Type.Array(
    Type.Object({
      name: Type.String({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.yara?$/ }),
      text: Type.String({ maxLength: SET_BYTES_MAX }),
    }),
    { maxItems: RULE_FILES_MAX },
  ),
  tables: Type.Optional(Tables),
  lists: Type.Optional(Type.Array(List, { maxItems: LISTS_MAX })),
})
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const State = Type.Object({
  /** By role; that of the channel as it was last seen, so that nothing older is accepted. */
  metadata: Type.Record(Type.String(), Type.String({ maxLength: SET_BYTES_MAX })),
  current: Nullable(RuleSet),
  previous: Nullable(RuleSet),
  /** Why the last set was not used. */
  refused: Nullable(Type.Object({ version: Type.Integer(), reason: Type.String({ maxLength: 1_000 }) })),
})
const [SET, STATE] = [Compile(RuleSet), Compile(State)]

export type UpdateSet = Type.Static<typeof RuleSet>
export type UpdateState = Type.Static<typeof State>

export const NO_UPDATES: UpdateState = { metadata: {}, current: null, previous: null, refused: null }

/** Throws if it is none. */
export function parseSet(text: string): UpdateSet {
  const value: unknown = JSON.parse(text)
  if (!SET.Check(value)) {
    const [problem] = SET.Errors(value)
    throw new Error(`the set has a wrong shape${problem?.instancePath ? ` at ${problem.instancePath}` : ''}`)
  }
  const { rules, tables = {}, lists = [] } = value
  if ([rules, ...Object.values(tables), lists].every(({ length }) => length === 0)) throw new Error('the set is empty')
  if (new Set(lists.map(({ name }) => name)).size < lists.length) throw new Error('two lists have the same name')
  if (lists.reduce((sum, { indicators }) => sum + indicators.length, 0) > INDICATORS_MAX)
    throw new Error(`the lists have more than ${INDICATORS_MAX} indicators`)
  return value
}

const fileIn = (folder: string): string => path.join(folder, 'state.json')

/** Without a file there are no updates. A file that cannot be used is an error: it was there to refuse what is older. */
export async function readState(folder: string): Promise<UpdateState> {
  const read = await readText(fileIn(folder), STATE_BYTES_MAX, 'is too large')
  if (typeof read === 'string') {
    if ((await identityOf(folder)) === null) return NO_UPDATES
    throw new Error(`the state of the updates ${read}`)
  }
  try {
    const value: unknown = JSON.parse(read.text)
    if (STATE.Check(value)) return value
  } catch (error) {
    throw new Error(`the state of the updates is not JSON: ${messageOf(error)}`)
  }
  throw new Error('the state of the updates has a wrong shape')
}

/** Changes with the state; null without one. */
export async function identityOf(folder: string): Promise<string | null> {
  const found = await stat(fileIn(folder)).catch((error: NodeJS.ErrnoException) => error)
  if (!('mtimeMs' in found)) return found.code === 'ENOENT' ? null : `${found.code}`
  return [found.size, found.mtimeMs, found.ctimeMs, found.ino].join()
}

/** At once: a process that reads it sees the old state or the new one. */
export async function writeState(folder: string, state: UpdateState): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = path.join(folder, `.state-${randomUUID()}`)
  try {
    {
      await using handle = await open(temporary, 'wx', 0o600)
      await handle.writeFile(JSON.stringify(state))
      await handle.sync()
    }
    await rename(temporary, fileIn(folder))
  } finally {
    await rm(temporary, { force: true })
  }
}
