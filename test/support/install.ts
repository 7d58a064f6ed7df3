/** Installs the servers that suites need. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

const run = promisify(execFile)
const OUTPUT_MAX = 64 * 2 ** 20

export function missingServers() {
  return Object.values(SERVERS).filter((server) => !server.available())
}

/** Only as root on Debian and derivatives, where one command without a password is enough. */
export async function installServers(): Promise<void> {
  const packages = missingServers().flatMap((server) => server.aptPackage.split(' '))
  if (packages.length === 0 || process.getuid?.() !== 0 || !findProgram(['apt-get'])) return
  console.log(`Installing ${packages.join(', ')} with apt-get for the test suites.`)
  // RUNLEVEL=1 keeps the packages from starting their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    await run('apt-get', ['-qq', ...args], { env, maxBuffer: OUTPUT_MAX }).catch(({ stdout, stderr }) =>
      console.log(`apt-get ${args[0]} failed:\n${stdout}${stderr}`),
    )
  }
}
