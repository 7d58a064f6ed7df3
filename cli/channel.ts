/** `docvet channel`: makes and signs the repository of an update channel. */
import { generateKeyPairSync } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#base/message-of.ts'
import { ChannelRefused, readChannel } from '#engines/embedded/updates/channel.ts'
import { contentsOf } from '#engines/embedded/updates/contents.ts'
import {
  countSigners,
  type Of,
  publicKeyOf,
  ROLES,
  type Role,
  type Root,
  type SigningKey,
  signingKeyOf,
} from '#engines/embedded/updates/publish/metadata.ts'
import {
  acceptRoot,
  DAYS,
  DRAFT,
  draftRoot,
  newestRoot,
  PublishRefused,
  publish,
  readRoot,
  signRoot,
} from '#engines/embedded/updates/publish/repository.ts'
import { readSetFolder } from '#engines/embedded/updates/publish/set-folder.ts'
import { fromFolder } from '#engines/embedded/updates/sources.ts'
import { CHANNEL } from './commands.ts'
import { proveContents } from './prove.ts'
import { type Given, helpOf, parse, UsageError } from './usage.ts'

const EXIT_REFUSED = 1
const DAYS_MAX = 3_650
const DAY_MS = 86_400_000

const RUN: Readonly<Record<string, (at: string, given: Given) => Promise<string>>> = {
  key: makeKey,
  root: makeRoot,
  sign,
  accept,
  publish: publishSet,
  renew,
  check,
}

export async function runChannel(args: readonly string[]): Promise<number> {
  const given = parse(CHANNEL, args)
  if (given.is('help')) {
    process.stdout.write(helpOf(CHANNEL))
    return 0
  }
  const [action = '', at, ...more] = given.positionals
  const run = Object.hasOwn(RUN, action) ? RUN[action] : undefined
  if (run === undefined || at === undefined || more.length > 0)
    throw new UsageError(`Name what to do (${Object.keys(RUN).join(', ')}), and the file or folder.`)
  try {
    process.stdout.write(`${await run(at, given)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof PublishRefused || error instanceof ChannelRefused)) throw error
    process.stderr.write(`Refused: ${messageOf(error)}\n`)
    return EXIT_REFUSED
  }
}

/** Two files: the secret, and beside it what is given to others. */
async function makeKey(file: string): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const shared = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  await writeFile(file, secret, { flag: 'wx', mode: 0o600 })
  await writeFile(`${file}.pub`, shared, { flag: 'wx' })
  return `Key ${publicKeyOf(shared).id}\nis in ${file}, which must stay secret, and ${file}.pub.`
}

async function makeRoot(folder: string, given: Given): Promise<string> {
  const keys: Partial<Of<ReturnType<typeof publicKeyOf>[]>> = {}
  for (const role of ROLES) {
    const files = given.texts(`${role}-key`)
    if (files.length > 0) keys[role] = await Promise.all(files.map((file) => readKey(file, publicKeyOf)))
  }
  const root = await draftRoot(folder, { keys, thresholds: thresholdsOf(given), days: daysOf(given).root })
  return `${describe(root)}\n\nHave its keys sign ${path.join(folder, DRAFT)}.`
}

function thresholdsOf(given: Given): Partial<Of<number>> {
  return Object.fromEntries(
    given.texts('threshold').map((text) => {
      const [, role, count] = /^(root|targets|snapshot|timestamp)=(\d{1,2})$/.exec(text) ?? []
      if (role === undefined) throw new UsageError('--threshold is a role and a number, such as root=2.')
      return [role, Number(count)]
    }),
  )
}

/** `--days 30` is for everything that is signed now. */
function daysOf(given: Given): Of<number> {
  const text = given.text('days')
  if (text === undefined) return DAYS
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX)
    throw new UsageError(`--days must be a number from 1 to ${DAYS_MAX}.`)
  return { root: days, targets: days, snapshot: days, timestamp: days }
}

async function readKey<T>(file: string, read: (pem: string) => T): Promise<T> {
  try {
    return read(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} is no key: ${messageOf(error)}`)
  }
}

const readSigners = (given: Given, name: string): Promise<SigningKey[]> =>
  Promise.all(given.texts(name).map((file) => readKey(file, signingKeyOf)))

/** What somebody signs or compares. */
function describe({ version, expires, roles }: Root): string {
  const rows = ROLES.map((role) => {
    const { keyids, threshold } = roles[role]
    return [`${role}: ${threshold} of ${keyids.length}`, ...keyids.map((id) => `  ${id}`)].join('\n')
  })
  return [`Root ${version}, until ${expires}`, ...rows].join('\n')
}

async function sign(file: string, given: Given): Promise<string> {
  const keys = await readSigners(given, 'key')
  if (keys.length === 0) throw new UsageError('--key is required.')
  const root = await signRoot(file, keys)
  const count = countSigners(await readRoot(file), root, 'root')
  return `${describe(root)}\n\n${count} of its own root keys have signed it.`
}

async function accept(folder: string): Promise<string> {
  const root = await acceptRoot(folder)
  const file = path.join(folder, 'metadata', `${root.version}.root.json`)
  const first = `Give ${file} to those who follow the channel, as their root of trust.`
  const later = 'Run publish or renew with keys that it names.'
  return `${describe(root)}\n\n${root.version === 1 ? first : later}`
}

async function signersOf(given: Given): Promise<Of<SigningKey[]>> {
  const [root, targets, snapshot, timestamp] = await Promise.all(
    ROLES.map((role) => (role === 'root' ? [] : readSigners(given, `${role}-key`))),
  )
  return { root: root ?? [], targets: targets ?? [], snapshot: snapshot ?? [], timestamp: timestamp ?? [] }
}

async function publishSet(folder: string, given: Given): Promise<string> {
  const from = given.text('set')
  if (from === undefined) throw new UsageError('--set is required.')
  if (!(await stat(from)).isDirectory()) throw new UsageError('--set must be a folder.')
  const [set, keys] = await Promise.all([readSetFolder(from), signersOf(given)])
  await proveContents(await contentsOf(set)).catch((error) => {
    throw new PublishRefused(messageOf(error), { cause: error })
  })
  const { version } = await publish(folder, { set, keys, days: daysOf(given) })
  return `Version ${version} is published in ${folder}.\n${await check(folder)}`
}

async function renew(folder: string, given: Given): Promise<string> {
  await publish(folder, { set: null, keys: await signersOf(given), days: daysOf(given) })
  return await check(folder)
}

/** As a service reads it, from the first root on. */
async function check(folder: string, given?: Given): Promise<string> {
  const first = await readFile(path.join(folder, 'metadata/1.root.json'), 'utf8')
  const { set, metadata } = await readChannel({ metadata: {}, root: first, read: fromFolder(folder) })
  const ends = ROLES.map((role) => {
    const { expires }: { expires: string } = JSON.parse(metadata[role] ?? '{}').signed
    return { role, expires }
  })
  const soon = given?.text('days') === undefined ? [] : ends.filter((each) => isWithin(each, daysOf(given)))
  if (soon.length > 0)
    throw new PublishRefused(soon.map(({ role, expires }) => `${role} expires at ${expires}`).join(', '))
  const root = await newestRoot(folder)
  return [
    `Version ${set.version} of ${set.publishedAt}: ${set.rules.length} rule files, ${set.lists?.length ?? 0} lists`,
    ...ends.map(({ role, expires }) => `${role} until ${expires}`),
    ...(root === null ? [] : ['', describe(root.signed)]),
  ].join('\n')
}

const isWithin = ({ role, expires }: { role: Role; expires: string }, days: Of<number>): boolean =>
  Date.parse(expires) < Date.now() + days[role] * DAY_MS
