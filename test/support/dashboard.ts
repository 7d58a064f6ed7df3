/** The built dashboard, which `npm start` builds and which tests may find missing or outdated. */

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')

/** Takes seconds only if a source has changed since the last build. */
export function buildDashboard(): void {
  const built = spawnSync(process.execPath, ['scripts/build-web.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
}

/** The name of a hashed file of the build. */
export function anyAsset(): string {
  const name = readdirSync(path.join(ROOT, 'web/dist/assets')).find((each) => each.endsWith('.css'))
  if (name === undefined) throw new Error('The build has no style sheet')
  return name
}
