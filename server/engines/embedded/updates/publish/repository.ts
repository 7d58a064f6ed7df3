/** A channel as a folder that any web server can serve: roots, and sets under metadata that leads from the timestamp to them. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseSet, SET_BYTES_MAX, type UpdateSet } from '#engines/embedded/updates/update-set.ts'
import {
  type Common,
  common,
  countSigners,
  described,
  type Envelope,
  encoded,
  type Of,
  type PublicKey,
  ROLES,
  type Role,
  type Root,
  type SigningKey,
  signed,
} from './metadata.ts'

/** The next root, until enough keys have signed it. */
export const DRAFT = 'next.root.json'
const TARGET = 'rules.json'
const ROOT_NAME = /^(\d{1,9})\.root\.json$/
/** Days until metadata expires. That of the timestamp is soon: it says that nothing is held back. */
export const DAYS: Of<number> = { root: 365, targets: 90, snapshot: 90, timestamp: 14 }

const ID = Type.String({ pattern: /^[0-9a-f]{64}$/ })
const HELD = Type.Object({ keyids: Type.Array(ID, { minItems: 1 }), threshold: Type.Integer({ minimum: 1 }) })
const VERSION = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const COMMON = { _type: Type.Enum([...ROLES]), spec_version: Type.String(), version: VERSION, expires: Type.String() }
const SIGNATURES = Type.Array(Type.Object({ keyid: ID, sig: Type.String({ pattern: /^[0-9a-f]*$/ }) }))
const ROOT = Compile(
  Type.Object({
    signatures: SIGNATURES,
    signed: Type.Object({
      ...COMMON,
      consistent_snapshot: Type.Literal(true),
      keys: Type.Record(
        Type.String(),
        Type.Object({
          ...{ keytype: Type.Literal('ed25519'), scheme: Type.Literal('ed25519') },
          keyval: Type.Object({ public: ID }),
        }),
      ),
      roles: Type.Object({ root: HELD, targets: HELD, snapshot: HELD, timestamp: HELD }),
    }),
  }),
)
const LEADING = Compile(
  Type.Object({
    signatures: SIGNATURES,
    signed: Type.Object({ ...COMMON, meta: Type.Record(Type.String(), Type.Object({ version: VERSION })) }),
  }),
)
const TARGETS = Compile(
  Type.Object({
    signatures: SIGNATURES,
    signed: Type.Object({
      ...COMMON,
      targets: Type.Object({
        [TARGET]: Type.Object({ length: Type.Integer(), hashes: Type.Object({ sha256: ID }) }),
      }),
    }),
  }),
)

/** What the publisher did wrong. */
export class PublishRefused extends Error {
  override readonly name = 'PublishRefused'
}

async function read<T>(file: string, form: { Check(value: unknown): value is T }): Promise<T> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!form.Check(value)) throw new PublishRefused(`${file} is not metadata of a channel`)
  return value
}

const inMetadata = (folder: string, name: string): string => path.join(folder, 'metadata', name)

/** Null before the first one. */
export async function newestRoot(folder: string): Promise<Envelope<Root> | null> {
  const names = await readdir(path.join(folder, 'metadata')).catch(() => [])
  const versions = names.flatMap((name) => Number(ROOT_NAME.exec(name)?.[1] ?? []) || [])
  return versions.length === 0 ? null : await readRoot(inMetadata(folder, `${Math.max(...versions)}.root.json`))
}

export const readRoot = (file: string): Promise<Envelope<Root>> => read(file, ROOT)

interface RootChanges {
  /** Those of a role that is left out stay as they are. */
  keys: Partial<Of<readonly PublicKey[]>>
  thresholds: Partial<Of<number>>
  days: number
}

/** Writes the next root without signatures. */
export async function draftRoot(folder: string, { keys, thresholds, days }: RootChanges): Promise<Root> {
  const before = (await newestRoot(folder))?.signed
  const known = new Map(Object.entries(before?.keys ?? {}))
  for (const { id, described } of ROLES.flatMap((role) => keys[role] ?? [])) known.set(id, described)
  const roleOf = (role: Role) => {
    const given = keys[role]?.map(({ id }) => id)
    const keyids = [...new Set(given ?? before?.roles[role].keyids ?? [])]
    const usual = given === undefined ? before?.roles[role].threshold : role === 'root' ? Math.min(2, keyids.length) : 1
    const threshold = thresholds[role] ?? usual ?? 1
    if (keyids.length === 0) throw new PublishRefused(`The first root needs a key of ${role}.`)
    if (!Number.isInteger(threshold) || threshold < 1 || threshold > keyids.length)
      throw new PublishRefused(`${role} has ${keyids.length} keys, so that ${threshold} of them cannot sign.`)
    return { keyids, threshold }
  }
  const roles = {
    ...{ root: roleOf('root'), targets: roleOf('targets') },
    ...{ snapshot: roleOf('snapshot'), timestamp: roleOf('timestamp') },
  }
  const used = new Set(ROLES.flatMap((role) => roles[role].keyids))
  const shared = ROLES.find(
    (role) => role !== 'root' && roles[role].keyids.some((id) => roles.root.keyids.includes(id)),
  )
  if (shared !== undefined)
    throw new PublishRefused(`A key of the root is also one of ${shared}: keep root keys offline.`)
  const root: Root = {
    ...common('root', (before?.version ?? 0) + 1, days),
    consistent_snapshot: true,
    keys: Object.fromEntries([...known].filter(([id]) => used.has(id))),
    roles,
  }
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, DRAFT), encoded({ signatures: [], signed: root }))
  return root
}

/** Adds signatures to a root that is carried to its keys. */
export async function signRoot(file: string, keys: readonly SigningKey[]): Promise<Root> {
  const draft = await readRoot(file)
  await replace(file, encoded(signed(draft, keys)))
  return draft.signed
}

/** Makes the draft the newest root if enough keys of it and of the one before have signed it. */
export async function acceptRoot(folder: string): Promise<Root> {
  const file = path.join(folder, DRAFT)
  const [draft, before] = await Promise.all([readRoot(file), newestRoot(folder)])
  const { version } = draft.signed
  const expected = (before?.signed.version ?? 0) + 1
  if (version !== expected)
    throw new PublishRefused(`The draft is version ${version}, but ${expected} is the next one.`)
  for (const [which, root] of [
    ['the root in use', before?.signed],
    ['the new root', draft.signed],
  ] as const) {
    const { threshold = 0 } = root?.roles.root ?? {}
    const count = root === undefined ? 0 : countSigners(draft, root, 'root')
    if (count < threshold) throw new PublishRefused(`${count} keys of ${which} have signed it, and ${threshold} must.`)
  }
  await mkdir(path.join(folder, 'metadata'), { recursive: true })
  await writeFile(inMetadata(folder, `${version}.root.json`), encoded(draft), { flag: 'wx' })
  await rm(file)
  return draft.signed
}

type Signers = Of<readonly SigningKey[]>

/** What the timestamp leads to; versions are zero before the first set. */
async function current(folder: string) {
  const file = inMetadata(folder, 'timestamp.json')
  const isFirst = await readFile(file).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
  if (isFirst) return { timestamp: 0, snapshot: 0, targets: 0, set: null }
  const stamp = await read(file, LEADING)
  const snapshotVersion = stamp.signed.meta['snapshot.json']?.version ?? 0
  const snapshot = await read(inMetadata(folder, `${snapshotVersion}.snapshot.json`), LEADING)
  const targetsVersion = snapshot.signed.meta['targets.json']?.version ?? 0
  const { signed: targets } = await read(inMetadata(folder, `${targetsVersion}.targets.json`), TARGETS)
  const name = `${targets.targets[TARGET].hashes.sha256}.${TARGET}`
  const set = parseSet(await readFile(path.join(folder, 'targets', name), 'utf8'))
  return { timestamp: stamp.signed.version, snapshot: snapshotVersion, targets: targetsVersion, set }
}

interface Publishing {
  keys: Signers
  days: Of<number>
  /** Null: the last one again, so that it does not expire. */
  set: Omit<UpdateSet, 'version' | 'publishedAt'> | null
}

/**
 * Publishes a set, or renews what expires. Without keys of targets and snapshot only the timestamp is renewed. A service sees the old
 * channel until the timestamp is in its place.
 */
export async function publish(folder: string, { keys, days, set }: Publishing): Promise<UpdateSet> {
  const root = await newestRoot(folder)
  if (root === null) throw new PublishRefused('There is no root yet.')
  const before = await current(folder)
  const last = before.set
  const next = set === null ? last : { ...set, version: (last?.version ?? 0) + 1, publishedAt: nowInSeconds() }
  if (next === null) throw new PublishRefused('There is no set yet that could be renewed.')
  const files = new Map<string, Buffer>()
  const envelope = (role: Role, rest: object, version: number): Buffer => {
    const made: Envelope<Common> = { signatures: [], signed: { ...common(role, version, days[role]), ...rest } }
    const whole = signed(made, keys[role])
    const [count, { threshold }] = [countSigners(whole, root.signed, role), root.signed.roles[role]]
    if (count < threshold)
      throw new PublishRefused(`${count} keys of ${role} were given that the root knows, and ${threshold} must sign.`)
    return encoded(whole)
  }
  let leading: object
  if (set === null && keys.targets.length === 0 && keys.snapshot.length === 0) {
    const stamp: unknown = JSON.parse(await readFile(inMetadata(folder, 'timestamp.json'), 'utf8'))
    if (!LEADING.Check(stamp)) throw new PublishRefused('The timestamp is not metadata of a channel.')
    leading = { meta: stamp.signed.meta }
  } else {
    const bytes = Buffer.from(JSON.stringify(next))
    if (bytes.length > SET_BYTES_MAX) throw new PublishRefused(`The set has more than ${SET_BYTES_MAX} bytes.`)
    parseSet(bytes.toString())
    const target = described(bytes)
    files.set(`targets/${target.hashes.sha256}.${TARGET}`, bytes)
    const versions = { targets: before.targets + 1, snapshot: before.snapshot + 1 }
    const targets = envelope('targets', { targets: { [TARGET]: target } }, versions.targets)
    files.set(`metadata/${versions.targets}.targets.json`, targets)
    const meta = { 'targets.json': { version: versions.targets, ...described(targets) } }
    const snapshot = envelope('snapshot', { meta }, versions.snapshot)
    files.set(`metadata/${versions.snapshot}.snapshot.json`, snapshot)
    leading = { meta: { 'snapshot.json': { version: versions.snapshot, ...described(snapshot) } } }
  }
  const timestamp = envelope('timestamp', leading, before.timestamp + 1)
  await mkdir(path.join(folder, 'targets'), { recursive: true })
  for (const [name, bytes] of files) await replace(path.join(folder, name), bytes)
  await replace(inMetadata(folder, 'timestamp.json'), timestamp)
  return next
}

const nowInSeconds = (): string => `${new Date().toISOString().slice(0, 19)}Z`

/** At once, so that no half of it is served. */
async function replace(file: string, bytes: Buffer): Promise<void> {
  const temporary = `${file}.new`
  await writeFile(temporary, bytes)
  await rename(temporary, file)
}
