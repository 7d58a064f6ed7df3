/** The document analyser: bytes in, findings out. Knows nothing of HTTP, accounts, storage or processes. */

import { initSync } from '@virustotal/yara-x'
import { createReport } from './core/conclusion.ts'
import type { Finding, Obstacle } from './core/findings.ts'
import type { Kind, Sniffed } from './core/kind.ts'
import { LIMITS, type Limits } from './core/limits.ts'
import { createSight, type Sight } from './core/literal-scan.ts'
import { type Walked, walk } from './core/traversal.ts'
import { HEAD_BYTES, sniff } from './detect/sniff.ts'
import { FORMATS } from './registry.ts'
import { compileRules, type RuleSet } from './rules-engine/compile.ts'
import { createSweep } from './rules-engine/scan.ts'
import { countRules, type RuleSource, RulesError, versionOf } from './rules-engine/sources.ts'

export { type Finding, type Kind, type Obstacle, type RuleSource, RulesError }

export interface Inspection {
  /** null: none of the accepted kinds. */
  kind: Kind | null
  /** Detected media type, also of what is refused. */
  type: string
  findings: readonly Finding[]
  /** Why the document could not be looked at completely. It is never clean then. */
  obstacle: Obstacle | null
  bytesInspected: number
  entries: number
}

export interface Inspector {
  /** Never throws, whatever the bytes are. */
  inspect(bytes: Uint8Array): Inspection
  /** Changes with every change of any rule. */
  rulesVersion: string
  ruleCount: number
  /** false: the rule engine broke down. Its answers were not clean, but the process should be replaced. */
  readonly healthy: boolean
  dispose(): void
}

export interface InspectorOptions {
  /** The rule engine: its bytes, or a WebAssembly.Module, for which Node's types have no name. */
  wasm: Uint8Array | object
  /** Our own rules: any warning is an error. */
  rules: readonly RuleSource[]
  operatorRules: readonly RuleSource[]
  /** For tests. */
  limits?: Partial<Limits>
}

export async function createInspector(options: InspectorOptions): Promise<Inspector> {
  const { wasm, rules, operatorRules } = options
  initSync({ module: wasm })
  const limits = { ...LIMITS, ...options.limits }
  const compiled = compileRules(rules, operatorRules)
  const openSight = createSight(compiled.gate?.literals ?? [])
  let healthy = true
  return {
    inspect(bytes) {
      const inspection = inspectWith(compiled, openSight(), limits, bytes)
      if (inspection.broken) healthy = false
      return inspection.result
    },
    rulesVersion: versionOf(rules, operatorRules),
    ruleCount: countRules([...rules, ...operatorRules]),
    get healthy() {
      return healthy
    },
    dispose: compiled.dispose,
  }
}

function inspectWith(
  rules: RuleSet,
  sight: Sight,
  limits: Limits,
  bytes: Uint8Array,
): { result: Inspection; broken: boolean } {
  const report = createReport()
  const sweep = createSweep(rules, sight, report)
  const hinder = (error: unknown): void =>
    report.hinder({ reason: 'damaged', detail: `The document could not be analysed (${messageOf(error)}).`, path: [] })
  let walked: Walked = { sniffed: { kind: null, type: 'application/octet-stream' }, bytesInspected: 0, entries: 0 }
  try {
    walked = walk(bytes, limits, { formats: FORMATS, sniff: sniffWhole, report, show: sweep.show, sight })
  } catch (error) {
    hinder(error)
  }
  sweep.finish()
  const failure = sweep.failure()
  if (failure !== null) hinder(failure)
  const { sniffed, bytesInspected, entries } = walked
  const result = { ...sniffed, findings: report.findings(), obstacle: report.obstacle(), bytesInspected, entries }
  return { result, broken: failure !== null }
}

function sniffWhole(bytes: Uint8Array): Sniffed {
  return sniff(bytes.subarray(0, HEAD_BYTES), bytes)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
