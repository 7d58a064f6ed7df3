/** Installs the servers that suites need. */
import { spawnSync } from 'node:child_process'
import { findProgram } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

export function missingServers() {
  return Object.values(SERVERS).filter((server) => !server.available())
}

/** Only as root on Debian and derivatives, where one command without a password is enough. */
export function installServers(): void {
  const packages = missingServers().flatMap((server) => server.aptPackage.split(' '))
  if (packages.length === 0 || process.getuid?.() !== 0 || !findProgram(['apt-get'])) return
  console.log(`Installing ${packages.join(', ')} with apt-get for the test suites.`)
  // RUNLEVEL=1 keeps the packages from starting their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    const result = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    if (result.status !== 0) console.log(`apt-get ${args[0]} failed:\n${result.stdout}${result.stderr}`)
  }
}
