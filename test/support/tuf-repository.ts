/** A repository of The Update Framework with Ed25519 keys, and every way in which one can be wrong. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

interface SigningKey {
  id: string
  jwk: Record<string, unknown>
  key: KeyObject
}
type Signed = Record<string, unknown>
type Files = Map<string, Buffer>

const DAY_MS = 86_400_000

/** As TUF writes JSON before it is signed. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? `"${value.replace(/[\\"]/g, '\\$&')}"` : JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${canonical(name)}:${canonical(each)}`).join(',')}}`
}

function newKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  const jwk = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: raw } }
  return { id: createHash('sha256').update(canonical(jwk)).digest('hex'), jwk, key: privateKey }
}

function envelope(signed: Signed, keys: readonly SigningKey[]): Buffer {
  const bytes = Buffer.from(canonical(signed))
  const signatures = keys.map(({ id, key }) => ({ keyid: id, sig: sign(null, bytes, key).toString('hex') }))
  return Buffer.from(JSON.stringify({ signatures, signed }))
}

const hashed = (bytes: Buffer) => ({
  length: bytes.length,
  hashes: { sha256: createHash('sha256').update(bytes).digest('hex') },
})

interface Publishing {
  set: unknown
  version: number
  /** When the timestamp expires, and the others. */
  expiresInDays?: number
  /** Instead of the right ones. */
  targetsKeys?: readonly SigningKey[]
  rootKeys?: readonly SigningKey[]
}

/** Root: two of three keys; the others: two of two for the set, one for the rest. */
export function createRepository() {
  const keys = {
    root: [newKey(), newKey(), newKey()],
    targets: [newKey(), newKey()],
    snapshot: [newKey()],
    timestamp: [newKey()],
  }
  const thresholds = { root: 2, targets: 2, snapshot: 1, timestamp: 1 }
  const base = (type: string, version: number, days: number): Signed => ({
    ...{ _type: type, spec_version: '1.0.0', version },
    expires: `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19)}Z`,
  })

  function rootOf(
    version: number,
    roles = keys,
    signers: readonly SigningKey[] = keys.root.slice(0, 2),
    days = 365,
  ): Buffer {
    const all = Object.values(roles).flat()
    const signed = {
      ...base('root', version, days),
      consistent_snapshot: true,
      keys: Object.fromEntries(all.map(({ id, jwk }) => [id, jwk])),
      roles: Object.fromEntries(
        Object.entries(roles).map(([role, some]) => [
          role,
          { keyids: some.map(({ id }) => id), threshold: thresholds[role as keyof typeof thresholds] },
        ]),
      ),
    }
    return envelope(signed, signers)
  }

  return {
    keys,
    newKey,
    rootOf,
    root: rootOf(1).toString(),
    /** The files of the repository, by path. */
    publish({ set, version, expiresInDays = 14, targetsKeys = keys.targets }: Publishing): Files {
      const bytes = Buffer.from(typeof set === 'string' ? set : JSON.stringify(set))
      const target = hashed(bytes)
      const targets = envelope({ ...base('targets', version, 90), targets: { 'rules.json': target } }, targetsKeys)
      const snapshot = envelope(
        { ...base('snapshot', version, 90), meta: { 'targets.json': { version, ...hashed(targets) } } },
        keys.snapshot,
      )
      const timestamp = envelope(
        { ...base('timestamp', version, expiresInDays), meta: { 'snapshot.json': { version, ...hashed(snapshot) } } },
        keys.timestamp,
      )
      return new Map([
        ['metadata/1.root.json', rootOf(1)],
        ['metadata/timestamp.json', timestamp],
        [`metadata/${version}.snapshot.json`, snapshot],
        [`metadata/${version}.targets.json`, targets],
        [`targets/${target.hashes.sha256}.rules.json`, bytes],
      ])
    },
  }
}

export const rule = (name: string, word: string): { name: string; text: string } => ({
  name: `${name}.yar`,
  text: `rule ${name} { meta: title = "Word of ${name}" reason = "It has a word." strings: $a = "${word}" condition: $a }`,
})

export const setOf = (version: number, ...rules: { name: string; text: string }[]) => ({
  ...{ version, publishedAt: '2026-11-18T00:00:00Z', rules },
})
