/** Inspectors for tests. */

import { readFileSync } from 'node:fs'
import { before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createInspector, type Inspector, type InspectorOptions } from '#inspect/inspect.ts'

export function readWasm(): Uint8Array {
  const entry = fileURLToPath(import.meta.resolve('@virustotal/yara-x'))
  return readFileSync(entry.replace(/\.js$/, '_bg.wasm'))
}

export function ourInspector(options: Partial<InspectorOptions> = {}): Promise<Inspector> {
  return createInspector({ wasm: readWasm, operatorRules: [], ...options })
}

let shared: Promise<Inspector> | undefined

/** One for all tests of a process, which ends without disposing of it. */
export function useInspector() {
  let inspector: Inspector
  before(async () => {
    shared ??= ourInspector()
    inspector = await shared
  })
  const inspect: Inspector['inspect'] = (...document) => inspector.inspect(...document)
  return {
    inspect,
    /** The malicious finding, or the reason of the obstacle; undefined is clean. */
    outcome(bytes: Uint8Array): string | undefined {
      const { findings, obstacle } = inspect(bytes)
      return findings.find(({ severity }) => severity === 'malicious')?.id ?? obstacle?.reason
    },
  }
}
