/** Starts the embedded engine for a command. */
import { readdir, readFile } from 'node:fs/promises'
import { createLog } from '#base/log.ts'
import { createEmbeddedEngine } from '#engines/embedded/engine.ts'
import { type Policy, parsePolicy } from '#engines/embedded/policy/policy.ts'
import { readRules } from '#engines/embedded/rules/rule-files.ts'
import type { Engine } from '#engines/engine.ts'
import { useNamed } from './files.ts'
import type { judgingOf } from './options.ts'
import { UsageError } from './usage.ts'

/** No worker is idle for long, so that speed counts more than memory. */
const TUNING = { youngBytes: 16 * 2 ** 20 }

export async function startEngine(
  { rulesDir, feedsDir, policyFile, sensitivity }: ReturnType<typeof judgingOf>,
  workers: number,
): Promise<Engine> {
  // Errors of rules are reported in one sentence below.
  const log = createLog({ level: rulesDir === null && feedsDir === null ? 'warn' : 'fatal', stream: process.stderr })
  const policy = policyFile === null ? null : await readPolicy(policyFile)
  for (const [option, folder] of Object.entries({ rules: rulesDir, feeds: feedsDir }))
    if (folder !== null) await useNamed(option, folder, (place) => readdir(place))
  if (rulesDir !== null) await checkRules(rulesDir)
  return await createEmbeddedEngine({
    ...{ workers, rulesDir, feedsDir, needsAllRules: true, sensitivity, policy, log, tuning: TUNING },
  })
}

async function checkRules(folder: string): Promise<void> {
  const rules = await readRules(folder)
  if (rules.files.length + rules.rejected.length > 0) return
  throw new UsageError(`The folder of rules ${folder} has no file *.yar or *.yara.`)
}

async function readPolicy(file: string): Promise<Policy> {
  const parsed = parsePolicy(await useNamed('policy', file, (place) => readFile(place, 'utf8')))
  if ('policy' in parsed) return parsed.policy
  throw new UsageError(['The policy cannot be used:', ...parsed.problems.map((each) => `  - ${each}`)].join('\n'))
}
