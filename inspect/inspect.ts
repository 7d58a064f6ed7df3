/** The document analyser: bytes in, findings out. */

import { initSync } from '@virustotal/yara-x'
import { createConclusion } from './core/conclusion.ts'
import type { Finding, Obstacle } from './core/findings.ts'
import type { Format } from './core/format.ts'
import { createFormatTable, type FormatTable } from './core/format-table.ts'
import { collectingTo, type IndicatorPart } from './core/indicators.ts'
import type { Kind, Sniffed } from './core/kind.ts'
import { LIMITS, type Limits, limitsFor } from './core/limits.ts'
import { createLiteralScan, type LiteralScan } from './core/literal-scan.ts'
import { createTexts, type DocumentText } from './core/texts.ts'
import { type Traversed, traverse } from './core/traversal.ts'
import type { Cost } from './core/work.ts'
import { quickEncodingOf } from './detect/quick-encoding.ts'
import { HEAD_BYTES, sniff } from './detect/sniff.ts'
import { type AddedTables, widerOf } from './judge/deception/added-tables.ts'
import { type Wider, withTables } from './judge/deception/wider.ts'
import { shownCharacters } from './judge/hidden/unicode.ts'
import { createIndicators, type IndicatorKind } from './judge/indicators.ts'
import { reportSignatures, SIGNATURE_COUNT, SIGNATURES_VERSION } from './judge/signatures.ts'
import { FORMATS } from './registry.ts'
import { compileRules } from './rules-engine/compile.ts'
import type { OperatorRules } from './rules-engine/operator-rules.ts'
import { createRuleScan, type Scores } from './rules-engine/scan.ts'
import { countRules, type RuleSource, RulesError, versionOf } from './rules-engine/sources.ts'

export {
  type AddedTables,
  type DocumentText,
  type Finding,
  type IndicatorKind,
  type IndicatorPart,
  type Kind,
  type Obstacle,
  type RuleSource,
  RulesError,
  type Scores,
}

export interface Inspection {
  /** null: none of the accepted kinds. */
  kind: Kind | null
  /** Detected media type, also of documents that are not accepted. */
  type: string
  findings: readonly Finding[]
  /** Why the document could not be inspected completely. Such a document is never clean. */
  obstacle: Obstacle | null
  bytesInspected: number
  entries: number
  /** If they were asked for. */
  text?: DocumentText
  indicators?: readonly IndicatorPart[]
}

interface About {
  passwords?: readonly string[]
  name?: string | null | undefined
  /** Whether its text is wanted. */
  wantsText?: boolean | undefined
  /** What shall be looked up in lists. */
  wantsIndicators?: readonly IndicatorKind[] | undefined
  /** For tests. */
  limits?: Partial<Limits>
}

export interface Inspector {
  /**
   * Never throws, whatever the bytes are. The passwords are tried on everything that is encrypted. The name may decide in
   * which language a script is read, never that a document is harmless.
   */
  inspect(bytes: Uint8Array, options?: About): Inspection
  /** Changes whenever a signature or a rule changes. */
  rulesVersion: string
  ruleCount: number
  /** Of the last inspection. For tests. */
  readonly cost: Cost
  /** false: the rule engine failed. The affected inspections have an obstacle; replace the process. */
  readonly healthy: boolean
  dispose(): void
}

export interface InspectorOptions {
  /** YARA-X: its bytes, or a WebAssembly.Module, which Node's types do not declare. Called only if the operator has rules. */
  wasm: () => Uint8Array | object
  operatorRules: readonly RuleSource[]
  scores?: Scores | undefined
  /** Of the update channel. */
  tables?: AddedTables | undefined
  /** For tests. */
  limits?: Partial<Limits>
  /** For tests: in place of the registered ones. */
  formats?: readonly Format[]
}

/** Here and not for each inspector, so that a snapshot of a process contains them. */
const FORMAT_TABLE = createFormatTable(FORMATS)
const openLiteralScan = createLiteralScan()

export async function createInspector({
  wasm,
  operatorRules,
  scores,
  tables,
  ...options
}: InspectorOptions): Promise<Inspector> {
  const limits = { ...LIMITS, ...options.limits }
  if (operatorRules.length > 0) initSync({ module: wasm() })
  const rules = operatorRules.length > 0 ? compileRules(operatorRules) : null
  const wider = tables === undefined ? null : readTables(tables)
  const formats = options.formats === undefined ? FORMAT_TABLE : createFormatTable(options.formats)
  const setup: Setup = { rules, scores, wider, formats, limits }
  const version =
    tables === undefined
      ? SIGNATURES_VERSION
      : versionOf(SIGNATURES_VERSION, [{ name: '', text: JSON.stringify(tables) }])
  let healthy = true
  let cost: Cost = { work: 0, keptBytes: 0 }
  return {
    inspect(bytes, about = {}) {
      const limited = about.limits === undefined ? setup : { ...setup, limits: { ...limits, ...about.limits } }
      const inspected = inspectDocument(bytes, limited, openLiteralScan(), about)
      if (inspected.engineFailed) healthy = false
      cost = inspected.cost
      return inspected.result
    },
    rulesVersion: operatorRules.length > 0 ? versionOf(version, operatorRules) : version,
    ruleCount: SIGNATURE_COUNT + countRules(operatorRules),
    get cost() {
      return cost
    },
    get healthy() {
      return healthy
    },
    dispose: () => rules?.dispose(),
  }
}

/** Throws `RulesError`, as rules that do not compile. */
function readTables(tables: AddedTables): Wider {
  try {
    return widerOf(tables)
  } catch (error) {
    throw new RulesError([{ name: 'update/tables.json', message: messageOf(error) }])
  }
}

interface Setup {
  rules: OperatorRules | null
  scores: Scores | undefined
  wider: Wider | null
  formats: FormatTable
  limits: Limits
}

function inspectDocument(
  bytes: Uint8Array,
  { rules, scores, wider, formats, limits }: Setup,
  scanLiterals: LiteralScan,
  { passwords = [], name = null, wantsText = false, wantsIndicators = [] }: About,
): { result: Inspection; engineFailed: boolean; cost: Cost } {
  const conclusion = createConclusion()
  const texts = wantsText ? createTexts(shownCharacters) : null
  const indicators = wantsIndicators.length > 0 ? createIndicators(wantsIndicators) : null
  // They name the threat where no format has a better name for it, so they are added last.
  const signatures = createConclusion()
  const ruleScan = rules && createRuleScan(rules, conclusion, { scores })
  const addFailure = (error: unknown): void => {
    const detail = `The document could not be analysed (${messageOf(error)}).`
    conclusion.addObstacle({ reason: 'damaged', detail, path: [] })
  }
  let traversed: Traversed = {
    sniffed: { kind: null, type: 'application/octet-stream' },
    bytesInspected: 0,
    entries: 0,
    cost: { work: 0, keptBytes: 0 },
  }
  try {
    const most = limitsFor(limits, bytes.length)
    const options: Parameters<typeof traverse>[1] = {
      limits: indicators === null && wider === null ? most : { ...most, workMax: most.workMax * WITH_LISTS },
      passwords,
      name,
      formats,
      sniff: sniffWhole,
      scanLiterals,
      scan(path, bytes, scope) {
        reportSignatures(path, scanLiterals(bytes), scope, signatures)
        indicators?.addBytes(bytes)
        ruleScan?.scan(path, bytes)
      },
      finish: () => ruleScan?.finish(),
      conclusion,
      texts: indicators === null ? texts : indicators.texts(texts),
    }
    traversed = withTables(wider, () => collectingTo(indicators, () => traverse(bytes, options)))
    if (indicators?.isExceeded()) conclusion.addObstacle(TOO_MANY_INDICATORS)
  } catch (error) {
    addFailure(error)
  }
  for (const finding of signatures.findings()) conclusion.addFinding(finding)
  const failure = ruleScan?.failure() ?? null
  if (failure !== null) addFailure(failure)
  // Field by field: to copy the rest of an object takes longer than a format.
  const { sniffed, cost, bytesInspected, entries } = traversed
  const { kind, type } = sniffed
  const findings = conclusion.findings()
  const result = {
    kind,
    type,
    findings,
    obstacle: conclusion.obstacle(),
    bytesInspected,
    entries,
    ...(texts && { text: texts.result() }),
    ...(indicators && { indicators: indicators.result() }),
  }
  return { result, engineFailed: failure !== null, cost }
}

/** More work where lists are compared, or tables added: no document may be refused because an operator has some. */
const WITH_LISTS = 1.25
const TOO_MANY_INDICATORS: Obstacle = {
  reason: 'too_complex',
  detail: 'It has more addresses and files than can be compared with the lists of the operator.',
  path: [],
}

function sniffWhole(bytes: Uint8Array): Sniffed {
  return sniff(bytes.subarray(0, HEAD_BYTES), bytes, quickEncodingOf)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
