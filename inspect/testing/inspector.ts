/** An inspector with our own rules, as the service would make it, for tests. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createInspector, type Inspector, type InspectorOptions, type RuleSource } from '../inspect.ts'

export function readWasm(): Uint8Array {
  const entry = fileURLToPath(import.meta.resolve('@virustotal/yara-x'))
  return readFileSync(entry.replace(/\.js$/, '_bg.wasm'))
}

export function readRules(): RuleSource[] {
  const folder = new URL('../rules/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith('.yar'))
  return names.sort().map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
}

export function ourInspector(options: Partial<InspectorOptions> = {}): Promise<Inspector> {
  return createInspector({ wasm: readWasm(), rules: readRules(), operatorRules: [], ...options })
}
