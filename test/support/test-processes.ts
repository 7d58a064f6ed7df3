/** Which test files run in a process of their own, which together, and in which order. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const TOGETHER = pathToFileURL(path.join(import.meta.dirname, 'together.ts')).href

/** Needs documents that are not part of the repository. */
export const CORPUS_TEST = 'inspect/corpus.test.ts'
/** How files begin that take long, or that need a process in which nothing has run, the slowest first. */
const ALONE = [
  'test/web/',
  CORPUS_TEST,
  'scripts/check-patterns',
  'test/fault/',
  'test/contract/',
  'server/engines/',
  'inspect/techniques',
  'inspect/padding',
  'inspect/harmless',
  'inspect/passed-over',
  'inspect/fuzz',
  'inspect/stable',
  // It needs a process that has not loaded the rules engine.
  'inspect/rules-engine/on-demand',
]
/** Short files in one process: enough to save most of the loading, few enough that cores end at about the same time. */
const TOGETHER_MAX = 12

export interface TestProcess {
  /** What Node runs. */
  entry: string
  files: string[]
}

/**
 * The longest first, so that no long one is left at the end while other cores have nothing to do. Unit tests, which
 * are short and busy, are spread among them: the others wait for timeouts and processes.
 */
export function testProcesses(files: readonly string[], folder: string): TestProcess[] {
  const rank = (file: string) => ALONE.findIndex((start) => file.startsWith(start))
  const slow = files.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b))
  const short = files.filter((file) => rank(file) < 0)
  const alone = slow.map((file) => ({ entry: file, files: [file] }))
  const together = Array.from({ length: Math.ceil(short.length / TOGETHER_MAX) }, (_, index) =>
    inOneProcess(
      short.slice(index * TOGETHER_MAX, (index + 1) * TOGETHER_MAX),
      path.join(folder, `together-${index}.mjs`),
    ),
  )
  const distance = Math.max(1, Math.floor(alone.length / Math.max(1, together.length)))
  const spread = alone.flatMap((each, index) => [each, ...(index % distance === 0 ? together.splice(0, 1) : [])])
  return [...spread, ...together]
}

function inOneProcess(files: string[], entry: string): TestProcess {
  const [first] = files
  if (files.length === 1 && first !== undefined) return { entry: first, files }
  const list = JSON.stringify(files, null, 2)
  writeFileSync(entry, `import { runTogether } from '${TOGETHER}'\nawait runTogether(${list})\n`)
  return { entry, files }
}
