/** Where the analyser is, as files: the parent hands them to its children and runs none of it itself. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface AnalyserFiles {
  /** What a child imports. */
  module: string
  /** What a child may read to start; folders end in `/`. */
  read: readonly string[]
  wasm: string
  /** The folder of the rules that come with it. */
  rules: string
  /** When one of them changed last. Not the time of a file: that is the time of the installation. */
  rulesChangedAt: Date
  version: string
}

const HERE = import.meta.dirname
const ROOT = path.join(HERE, '../../..')

/** The program of a child, and what it imports. */
export const CHILD = path.join(HERE, 'child.ts')
export const CHILD_PARTS: readonly string[] = ['protocol.ts', 'report.ts', '../../base/document-limit.ts'].map((name) =>
  path.join(HERE, name),
)

export function findAnalyser(): AnalyserFiles {
  const yara = path.dirname(fileURLToPath(import.meta.resolve('@virustotal/yara-x')))
  const inspect = path.join(ROOT, 'inspect')
  const manifest = path.join(ROOT, 'package.json')
  const rules = path.join(inspect, 'rules')
  return {
    module: path.join(inspect, 'inspect.ts'),
    read: [`${inspect}/`, `${path.dirname(yara)}/`, manifest],
    wasm: path.join(yara, 'yara_x_js_bg.wasm'),
    rules,
    rulesChangedAt: new Date(JSON.parse(readFileSync(path.join(rules, 'changed.json'), 'utf8')).changedAt),
    version: JSON.parse(readFileSync(manifest, 'utf8')).version,
  }
}
