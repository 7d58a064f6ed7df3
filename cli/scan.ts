/** `docvet scan`: scans files and folders with the embedded engine, without a server. */
import { readFile } from 'node:fs/promises'
import { createLog } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { createEmbeddedEngine } from '#engines/embedded/engine.ts'
import { type Policy, parsePolicy } from '#engines/embedded/policy/policy.ts'
import { findFiles } from './files.ts'
import { HELP, type Options, parseOptions, UsageError } from './options.ts'
import { createProgress, createWriter, summaryText } from './output.ts'
import { exitCodeOf, type Summary } from './result.ts'
import { scanFiles } from './scan-files.ts'

const EXIT_ERROR = 2
const EXIT_INTERRUPTED = 130
/** No worker is idle for long, so that speed counts more than memory. */
const TUNING = { youngBytes: 16 * 2 ** 20 }

const COUNTED = { clean: 'clean', infected: 'infected', empty: 'empty', error: 'errors' } as const

async function scan(options: Options): Promise<number> {
  const startedMs = performance.now()
  const { workers, rulesDir, sensitivity, password } = options
  const log = createLog({ level: 'warn', stream: process.stderr })
  const policy = options.policyFile === null ? null : await readPolicy(options.policyFile)
  const engine = await createEmbeddedEngine({ workers, rulesDir, sensitivity, policy, log, tuning: TUNING })
  const stop = new AbortController()
  process.once('SIGINT', () => {
    stop.abort()
    void engine.close().then(() => process.exit(EXIT_INTERRUPTED))
  })
  const writer = createWriter(options)
  // Beside lines of text on the same terminal, progress would only flicker.
  const isLineByLine = options.format === 'text' && !options.onlyInfected && process.stdout.isTTY
  const progress = createProgress(process.stderr.isTTY === true && !isLineByLine)
  const summary: Summary = { files: 0, clean: 0, infected: 0, empty: 0, errors: 0, durationMs: 0 }
  try {
    const scanner = { engine, workers, password, signal: stop.signal }
    for await (const result of scanFiles(findFiles(options.paths, options), scanner)) {
      summary.files++
      summary[COUNTED[result.verdict]]++
      progress.clear()
      await writer.add(result)
      progress.show(summary)
    }
  } finally {
    progress.clear()
    await engine.close()
  }
  summary.durationMs = Math.round(performance.now() - startedMs)
  await writer.end(summary)
  if (options.summary) process.stderr.write(summaryText(summary))
  return exitCodeOf(summary)
}

async function readPolicy(file: string): Promise<Policy> {
  const parsed = parsePolicy(await readFile(file, 'utf8'))
  if ('policy' in parsed) return parsed.policy
  throw new UsageError(['The policy cannot be used:', ...parsed.problems.map((each) => `  - ${each}`)].join('\n'))
}

async function main(): Promise<number> {
  try {
    const options = parseOptions(process.argv.slice(3), process.stdin.isTTY === true)
    if (options !== null) return await scan(options)
    process.stdout.write(HELP)
    return 0
  } catch (error) {
    const hint = error instanceof UsageError ? '\nRun `docvet scan --help` to see the options.' : ''
    process.stderr.write(`${messageOf(error)}${hint}\n`)
    return EXIT_ERROR
  }
}

// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit(EXIT_ERROR))
process.exitCode = await main()
