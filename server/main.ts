#!/usr/bin/env node
/** Starts the compiled service or command, and compiles it first if its sources are new; without a compiler it runs the sources. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { CACHE, compiledProgram, V8_CACHE } from '#base/compiled.ts'

const COMPILER = path.join(import.meta.dirname, '../scripts/compile.ts')
const COMPILE_MS_MAX = 60_000

function isCacheWritable(): boolean {
  try {
    accessSync(path.join(CACHE, '../..'), constants.W_OK)
    return true
  } catch {
    return false
  }
}

function compile(program: 'service' | 'command'): string | null {
  if (!isCacheWritable()) return null
  // In a process of its own, because the bundler takes half a gigabyte.
  spawnSync(process.execPath, [COMPILER], { stdio: 'ignore', timeout: COMPILE_MS_MAX })
  return compiledProgram(program)
}

enableCompileCache(path.join(CACHE, V8_CACHE))
const isCommand = ['scan', 'watch', 'quarantine', 'verify', 'mcp', 'updates', 'channel', 'completion', 'help'].includes(
  process.argv[2] ?? '',
)
if (isCommand) await import(compiledProgram('command') ?? compile('command') ?? '#cli/main.ts')
else await import(compiledProgram('service') ?? compile('service') ?? './service.ts')
