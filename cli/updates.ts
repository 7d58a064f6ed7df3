/** `docvet updates`: carries rules of the update channel to a service without a network. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#base/message-of.ts'
import { ChannelRefused, readChannel } from '#engines/embedded/updates/channel.ts'
import { fromFolder, fromServer, recording } from '#engines/embedded/updates/sources.ts'
import { goBack, receive } from '#engines/embedded/updates/updates.ts'
import { UPDATES } from './commands.ts'
import { proveContents } from './prove.ts'
import { type Given, helpOf, parse, UsageError } from './usage.ts'

const EXIT_REFUSED = 1

export async function runUpdates(args: readonly string[]): Promise<number> {
  const given = parse(UPDATES, args)
  if (given.is('help')) {
    process.stdout.write(helpOf(UPDATES))
    return 0
  }
  const [action, folder, ...more] = given.positionals
  if (action === 'back' && folder === undefined) return await back(given)
  const run = { export: exportTo, import: importFrom }[action ?? '']
  if (run === undefined || folder === undefined || more.length > 0)
    throw new UsageError('Name what to do, export or import, and the folder, or back.')
  const root = await readFile(required(given, 'root'), 'utf8')
  try {
    return await run(folder, root, given)
  } catch (error) {
    if (!(error instanceof ChannelRefused)) throw error
    process.stderr.write(`Refused: ${messageOf(error)}\n`)
    return EXIT_REFUSED
  }
}

function required(given: Given, name: string): string {
  const text = given.text(name)
  if (text === undefined) throw new UsageError(`--${name} is required.`)
  return text
}

async function exportTo(folder: string, root: string, given: Given): Promise<number> {
  const url = required(given, 'from').replace(/(?<!\/)\/+$/, '')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new UsageError('--from must be an http(s) URL.')
  const { read, writeTo } = recording(fromServer(url, proxyOf(given)))
  const { set } = await readChannel({ metadata: {}, root, read })
  await writeTo(folder)
  process.stdout.write(`Version ${set.version} of ${set.publishedAt} is in ${folder}.\n`)
  return 0
}

function proxyOf(given: Given): string | null {
  const text = given.text('proxy')
  if (text === undefined) return null
  const origin = URL.parse(text)?.origin ?? ''
  if (!/^http:/.test(origin) || text.replace(/\/$/, '') !== origin)
    throw new UsageError('--proxy must be http:// with a host and optionally a port.')
  return origin
}

async function importFrom(folder: string, root: string, given: Given): Promise<number> {
  const outcome = await receive({
    ...{ folder: path.join(required(given, 'data'), 'updates'), root, read: fromFolder(folder) },
    allowExpired: given.is('allow-expired'),
    prove: proveContents,
  })
  if (outcome.refused !== null) {
    process.stderr.write(`Refused: version ${outcome.version}: ${outcome.refused}\n`)
    return EXIT_REFUSED
  }
  const done = outcome.isNew ? 'will be in use within seconds' : 'is not newer than what is in use'
  process.stdout.write(`Version ${outcome.version} ${done}.\n`)
  return 0
}

async function back(given: Given): Promise<number> {
  const gone = await goBack(path.join(required(given, 'data'), 'updates'))
  if (gone === null) {
    process.stderr.write('Refused: there is no set before the one in use.\n')
    return EXIT_REFUSED
  }
  process.stdout.write(`Version ${gone.to} will be in use within seconds; version ${gone.from} is not used again.\n`)
  return 0
}
