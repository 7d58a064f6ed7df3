/** Reads the rule files of a folder in the order of their names, and detects changes by a fingerprint. */

import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { messageOf } from '#base/message-of.ts'
import { EmbeddedError, type RejectedFile } from '#engines/embedded/errors.ts'
import type { RuleSource } from '#inspect/inspect.ts'

export interface RuleFile extends RuleSource {
  changedMs: number
}

export interface RuleSet {
  files: readonly RuleFile[]
  /** Named like a rule file, but unreadable. */
  rejected: readonly RejectedFile[]
  /** Changes as soon as a file is added, removed or changed. */
  fingerprint: string
}

/** A file that is not compiled. */
export interface Hashed {
  name: string
  sha256: string
}

export const NO_RULES: RuleSet = { files: [], rejected: [], fingerprint: '' }

/** Of all files together. */
export const RULE_BYTES_MAX = 32 * 1024 * 1024
export const FILES_MAX = 1_000

const NOT_A_FILE = 'is not a file'
const UNREADABLE = 'cannot be read'
const TOO_MANY = `exceeds the limit of ${FILES_MAX} files`
const TOO_LARGE = `exceeds the limit of ${RULE_BYTES_MAX} bytes for all rules`

/** Rejects when the folder cannot be read. */
export async function readRules(folder: string): Promise<RuleSet> {
  const { entries, fingerprint } = await listRules(folder)
  const files: RuleFile[] = []
  const rejected: RejectedFile[] = []
  let left = RULE_BYTES_MAX
  for (const { name, reason, changedMs } of entries) {
    const read = reason ?? (await readText(path.join(folder, name), left))
    if (typeof read === 'string') rejected.push({ name, reason: read })
    else {
      files.push({ name, text: read.text, changedMs })
      left -= read.bytes
    }
  }
  return { files, rejected, fingerprint }
}

/** Of the lines that `sha256sum` prints for the files in the order of their names, so that anyone can compute it. */
export function sha256Of(sources: readonly RuleSource[], others: readonly Hashed[] = []): string {
  const all = [...sources.map(({ name, text }) => ({ name, sha256: hash('sha256', text) })), ...others]
  const lines = all.map(({ name, sha256 }) => ({ name, line: `${sha256}  ${name}\n` }))
  lines.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  return hash('sha256', lines.map(({ line }) => line).join(''))
}

/** The same as that of `readRules`, without reading a file. */
export async function fingerprint(folder: string): Promise<string> {
  return (await listRules(folder)).fingerprint
}

interface Entry {
  name: string
  changedMs: number
  identity: string
  /** Why it cannot be used, or null. */
  reason: string | null
}

async function listRules(folder: string): Promise<{ entries: Entry[]; fingerprint: string }> {
  const names = await readdir(folder).catch((error) => {
    throw new EmbeddedError(messageOf(error), 'the rules folder cannot be read')
  })
  const rules = names.filter((name) => /\.yara?$/.test(name)).sort()
  const entries = await Promise.all(
    rules.map((name, index) => (index < FILES_MAX ? entryOf(folder, name) : unusable(name, TOO_MANY))),
  )
  return { entries, fingerprint: entries.map(({ identity }) => identity).join('\n') }
}

async function entryOf(folder: string, name: string): Promise<Entry> {
  try {
    // Follows links: in a mounted folder, such as a ConfigMap, every file may be one.
    const found = await stat(path.join(folder, name))
    const { size, mtimeMs, ctimeMs, ino } = found
    if (!found.isFile()) return unusable(name, NOT_A_FILE)
    // With ctime and inode, because a file can be replaced by one of the same size and mtime.
    return { name, changedMs: mtimeMs, identity: `${name}:${size}:${mtimeMs}:${ctimeMs}:${ino}`, reason: null }
  } catch {
    return unusable(name, UNREADABLE)
  }
}

function unusable(name: string, reason: string): Entry {
  return { name, changedMs: 0, identity: `${name}:${reason}`, reason }
}

/** A string is the reason why not. Non-blocking and checked again, because opening a pipe would wait for its writer. */
export async function readText(
  file: string,
  bytesMax: number,
  tooLarge = TOO_LARGE,
): Promise<{ text: string; bytes: number } | string> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!(await handle.stat()).isFile()) return NOT_A_FILE
    const bytes = await buffer(handle.createReadStream({ start: 0, end: bytesMax }))
    return bytes.length > bytesMax ? tooLarge : { text: bytes.toString(), bytes: bytes.length }
  } catch {
    return UNREADABLE
  }
}
