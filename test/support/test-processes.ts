/** Which test files run in a process of their own, which together, and in which order. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const TOGETHER = pathToFileURL(path.join(import.meta.dirname, 'together.ts')).href

/** Need documents that are not part of the repository. */
export const CORPUS_TESTS = ['inspect/corpus.test.ts', 'inspect/accused.test.ts']
/** How files begin that take long and keep a core busy, the slowest first. Each gets a process of its own. */
const BUSY = [
  'test/web/pages',
  'test/web/scan',
  'test/web/keys',
  'test/web/accounts',
  'test/web/members',
  ...CORPUS_TESTS,
  'scripts/check-patterns',
  'test/web/marketplace',
  'test/web/sign-in',
  'test/web/operator',
  'test/web/passkeys',
  'server/engines/embedded/displaced',
  'server/engines/embedded/sandbox',
  'server/engines/embedded/engine',
  'server/engines/clamd/engine',
]
/** The same for files that take less. */
const SHORTER = [
  'scripts/contributing',
  'inspect/harmless',
  'inspect/padding',
  'inspect/stable',
  'inspect/techniques',
  'inspect/passed-over',
  'inspect/fuzz',
  'server/engines/',
]
/** Files that mostly wait for timeouts and for processes that they started, the slowest first. */
const WAITING = [
  'test/contract/scan-async',
  'test/fault/mail',
  'test/contract/packages',
  'test/contract/admin',
  'test/contract/auth-reset',
  'test/contract/lifecycle',
  'test/contract/action',
  'test/fault/scan-replicas',
  'test/fault/jobs',
  'test/contract/auth-sessions',
  'test/contract/command',
  'test/contract/webhooks',
  'test/contract/marketplace-',
  'test/contract/auth',
  'test/contract/client-middleware',
  'test/contract/watch',
  'test/fault/',
  // About a minute each; without them here, one of them would run alone at the end.
  'test/contract/updates',
  'test/contract/icap-peers',
  'test/contract/members',
  'test/contract/invitation-takeover',
  'test/contract/object-',
  'test/contract/scan-',
  'test/contract/compiled',
  'test/contract/readme',
  'test/contract/tls-proxies',
  'test/contract/replicas',
  'test/contract/',
]
/** Short files in one process: enough to save most of the loading, few enough that cores end at about the same time. */
const TOGETHER_MAX = 12

export interface TestProcess {
  /** Arguments of Node. */
  entry: string
  files: string[]
}

/**
 * The longest first, so that no long one is left at the end while other cores have nothing to do. Files that are busy
 * and files that wait take turns, so that cores are used all the time.
 */
export function testProcesses(files: readonly string[], folder: string): TestProcess[] {
  const startingWith = (starts: readonly string[]) =>
    starts.flatMap((start) => files.filter((file) => file.startsWith(start)))
  const alone = (starts: readonly string[], except: readonly string[] = []) =>
    [...new Set(startingWith(starts))]
      .filter((file) => !except.includes(file))
      .map((file) => ({ entry: file, files: [file] }))
  const isShort = (file: string) => ![...BUSY, ...SHORTER, ...WAITING].some((start) => file.startsWith(start))
  const short = files.filter(isShort)
  const together = Array.from({ length: Math.ceil(short.length / TOGETHER_MAX) }, (_, index) =>
    inOneProcess(
      short.slice(index * TOGETHER_MAX, (index + 1) * TOGETHER_MAX),
      path.join(folder, `together-${index}.mjs`),
    ),
  )
  return inTurns([...alone(BUSY), ...together, ...alone(SHORTER, startingWith(BUSY))], alone(WAITING))
}

/** Both lists from the beginning to the end, each spread over the whole. */
function inTurns<T>(...lists: T[][]): T[] {
  return lists
    .flatMap((list) => list.map((each, index) => ({ each, at: (index + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

function inOneProcess(files: string[], entry: string): TestProcess {
  const [first] = files
  if (files.length === 1 && first !== undefined) return { entry: first, files }
  const list = JSON.stringify(files, null, 2)
  writeFileSync(entry, `import { runTogether } from '${TOGETHER}'\nawait runTogether(${list})\n`)
  return { entry, files }
}
