/** The files of the analyser: the parent passes them to its workers and runs none of them itself. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface AnalyserFiles {
  /** Imported by the worker. */
  module: string
  /** Files that a worker may read; folders end in `/`. */
  read: readonly string[]
  wasm: string
  /** Folder of the built-in rules. */
  rules: string
  /** When a built-in rule last changed. Not by file times, which are those of the installation. */
  rulesChangedAt: Date
  version: string
}

const ROOT = path.join(import.meta.dirname, '../../..')

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
