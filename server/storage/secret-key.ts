/** The key that encrypts stored secrets: that of the configuration, or one in the data folder. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'secret.key'
const BYTES = 32

interface Place {
  secretKey: string | null
  dataDir: string
}

/** Null if none has been needed yet. */
export function existingSecretKey({ secretKey, dataDir }: Place): Buffer | null {
  if (secretKey !== null) return Buffer.from(secretKey, 'base64')
  const path = join(dataDir, FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === BYTES) return key
  throw new Error(
    `${path} does not contain a key. Restore it from a backup, or delete it: callback secrets are then lost.`,
  )
}

/** Creates the file if there is none. Several processes get the same key, because only one of them can link it. */
export function secretKeyOf(place: Place): Buffer {
  const { dataDir } = place
  const existing = existingSecretKey(place)
  if (existing !== null) return existing
  const path = join(dataDir, FILE)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return secretKeyOf(place)
}
