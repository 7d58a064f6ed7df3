/** Keeps the policy that is in force, and replaces it when its file changes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import { readText } from '#engines/embedded/rules/rule-files.ts'
import { POLICY_BYTES_MAX, type Policy, parsePolicy } from './policy.ts'

interface PolicyFileOptions {
  /** Null: not watched. */
  file: string | null
  /** The policy at start; null: the severities of the catalogue. */
  policy: Policy | null
  signal: AbortSignal
  log: Log
}

export type PolicyFile = ReturnType<typeof createPolicyFile>

const TOO_LARGE = `has more than ${POLICY_BYTES_MAX} bytes`

export function createPolicyFile({ file, policy, signal, log }: PolicyFileOptions) {
  let current = policy
  let seen: string | null = null
  let problem: string | null = null

  if (policy !== null) announce(policy, 'Policy in force')

  function announce({ sha256, lowered }: Policy, message: string): void {
    log.info({ policyFile: file, sha256 }, message)
    if (lowered.length > 0) log.warn({ policyFile: file, lowered }, 'Policy lowers malicious findings')
  }

  function reject(publicMessage: string, problems: readonly string[]): void {
    problem = publicMessage
    log.error({ policyFile: file, problems }, 'Policy rejected; the last valid one stays in force')
  }

  function exchange(text: string): void {
    const parsed = parsePolicy(text)
    if ('problems' in parsed) {
      reject('the file is invalid, see the log', parsed.problems)
      return
    }
    problem = null
    if (parsed.policy.sha256 === current?.sha256) return
    current = parsed.policy
    announce(current, 'Policy reloaded')
  }

  async function poll(path: string): Promise<void> {
    const read = await readText(path, POLICY_BYTES_MAX, TOO_LARGE)
    const found = JSON.stringify(read)
    if (found === seen) return
    seen = found
    if (typeof read === 'string') reject(`the file ${read}`, [`the file ${read}`])
    else exchange(read.text)
  }

  return {
    current: () => current,
    /** Why the file is not in use, without internals; null when it is. */
    problem: () => problem,
    /** Until the signal fires. Polls, because notifications do not arrive from some mounts. */
    async watch(everyMs: number): Promise<void> {
      while (file !== null && !signal.aborted) {
        await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {})
        if (!signal.aborted) await poll(file)
      }
    },
  }
}
