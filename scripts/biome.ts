/** `node scripts/biome.ts ARGUMENT…`: runs the formatter and linter, and installs it first if it is not there. */

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { installPeers } from '#test/support/peers.ts'

const program = path.join(await installPeers('lint-tools'), 'node_modules/.bin/biome')
process.exitCode = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' }).status ?? 1
