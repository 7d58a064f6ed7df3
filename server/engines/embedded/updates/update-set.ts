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
/** The set before, and metadata, are in it as well. */
const STATE_BYTES_MAX = 4 * SET_BYTES_MAX

const RuleSet = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  publishedAt: Type.String({ pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/ }),
  rules: Type.Array(
    Type.Object({
      name: Type.String({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.yara?$/ }),
      text: Type.String({ maxLength: SET_BYTES_MAX }),
    }),
    { minItems: 1, maxItems: RULE_FILES_MAX },
  ),
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
  if (!SET.Check(value)) throw new Error('the set has a wrong shape')
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
