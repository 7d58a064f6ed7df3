/** Packages that only some tests need, with a lock file of their own. `node test/support/peers.ts FOLDER…` installs them. */

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const INSTALL_MS = 5 * 60_000

/** Test files run at the same time, and one of them installs. Returns the folder. */
export async function installPeers(name: string): Promise<string> {
  const folder = path.join(import.meta.dirname, '..', name)
  // npm writes it at the end of an installation.
  const installed = path.join(folder, 'node_modules/.package-lock.json')
  const installing = path.join(folder, 'node_modules.lock')
  const giveUpAt = Date.now() + INSTALL_MS
  while (!existsSync(installed)) {
    try {
      mkdirSync(installing)
    } catch {
      if (Date.now() > giveUpAt) throw new Error(`${name} was not installed. Delete ${installing}.`)
      await sleep(200)
      continue
    }
    try {
      await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    } finally {
      rmSync(installing, { recursive: true })
    }
  }
  return folder
}

if (process.argv[1] === import.meta.filename) for (const name of process.argv.slice(2)) await installPeers(name)
