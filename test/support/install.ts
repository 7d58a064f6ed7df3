/** Installs the servers that suites need. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { HEADLESS_SHELL } from '#test/support/chromium.ts'
import { findProgram } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

const run = promisify(execFile)
const OUTPUT_MAX = 64 * 2 ** 20
const BROWSER = 'chromium'

export function missingServers() {
  return Object.values(SERVERS).filter((server) => !server.available())
}

/** Only as root on Debian and derivatives, where one command without a password is enough. */
export async function installServers(): Promise<void> {
  if (process.getuid?.() !== 0 || !findProgram(['apt-get'])) return
  const packages = missingServers().flatMap((server) => server.aptPackage.split(' '))
  if (packages.length === 0 && !(await lacksHeadlessShell())) return
  await aptGet('update')
  const isShellMissing = await lacksHeadlessShell()
  const wanted = packages.filter((name) => !(isShellMissing && name === BROWSER))
  if (isShellMissing) wanted.push(HEADLESS_SHELL)
  console.log(`Installing ${wanted.join(', ')} with apt-get for the test suites.`)
  await aptGet('install', '--yes', '--no-install-recommends', ...wanted)
}

/** Debian has it, Ubuntu does not. */
async function lacksHeadlessShell(): Promise<boolean> {
  if (findProgram([HEADLESS_SHELL]) !== null) return false
  return await run('apt-cache', ['show', HEADLESS_SHELL]).then(
    () => true,
    () => false,
  )
}

async function aptGet(...args: string[]): Promise<void> {
  // RUNLEVEL=1 keeps the packages from starting their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  await run('apt-get', ['-qq', ...args], { env, maxBuffer: OUTPUT_MAX }).catch(({ stdout, stderr }) =>
    console.log(`apt-get ${args[0]} failed:\n${stdout}${stderr}`),
  )
}
