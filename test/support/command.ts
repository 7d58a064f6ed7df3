/** Runs the command `docvet` as a process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { atExit, temporaryFolder } from '#test/support/service.ts'

export const DOCVET = path.join(import.meta.dirname, '../../server/docvet.cjs')

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

/** A folder in which files are made by their names, removed when the process exits. */
export function commandFolder(purpose: string) {
  const folder = temporaryFolder(purpose)
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    at: (name: string) => path.join(folder, name),
    file(name: string, content: string | Uint8Array): string {
      const full = path.join(folder, name)
      mkdirSync(path.dirname(full), { recursive: true })
      writeFileSync(full, content)
      return full
    },
  }
}

/** A process and everything that it prints. */
export function startCommand(args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const env = { ...process.env, ...options.env }
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [DOCVET, ...args], { cwd: options.cwd, env })
  const run: Run = { code: null, stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      run[name] += text
    })
  // It may exit without reading.
  child.stdin.on('error', () => {})
  const ended = new Promise<Run>((resolve) => child.on('close', (code) => resolve({ ...run, code })))
  return { child, run, ended }
}

export async function runCommand(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; input?: string | Buffer },
): Promise<Run> {
  const { child, ended } = startCommand(args, options)
  child.stdin.end(options.input ?? '')
  return await ended
}
