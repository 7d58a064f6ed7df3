/** The image, the compose file and the systemd unit: none can run here, but the files of the image are started. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { suite, test } from 'node:test'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { parse } from 'yaml'
import { loadConfig } from '#config/config.ts'
import { SETTINGS } from '#config/settings.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { signUp } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { assertInfected, scan } from '#test/support/scanning.ts'
import { AS_NPM_START, startService, temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

/** Instructions of each stage. */
function stages(): Instruction[][] {
  const all: Instruction[][] = []
  for (const instruction of DockerfileParser.parse(read('Dockerfile')).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') all.push([])
    all.at(-1)?.push(instruction)
  }
  return all
}

const argumentsOf = (instructions: Instruction[], keyword: string): string[] =>
  instructions
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getRawArgumentsContent() ?? '')

test('every way to start the service sets the same limits of memory', () => {
  const { start } = JSON.parse(read('package.json')).scripts
  for (const text of [start, read('Dockerfile'), read('deploy/docvet.service')]) {
    const found = [...text.matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value])
    const { NODE_COMPILE_CACHE: _, ...memory } = AS_NPM_START.env
    assert.deepEqual(Object.fromEntries(found), memory)
  }
})

suite('the Dockerfile', () => {
  const [build = [], service = []] = stages()

  test('has two stages on the same slim image, with the Node version of package.json', () => {
    assert.equal(stages().length, 2)
    const { dependencies } = JSON.parse(read('package.json'))
    const image = `node:${dependencies.node}-trixie-slim`
    assert.deepEqual([argumentsOf(build, 'FROM'), argumentsOf(service, 'FROM')], [[`${image} AS build`], [image]])
  })

  test('runs as a user without rights, has a health check, and no build tools', () => {
    assert.deepEqual(argumentsOf(service, 'USER'), ['10001'])
    assert.match(argumentsOf(service, 'HEALTHCHECK').join(), /CMD \["node", .*process\.env\.DOCVET_PORT \|\| 8080/s)
    const commands = argumentsOf(service, 'RUN').join('\n')
    assert.match(commands, /bubblewrap/)
    assert.doesNotMatch(commands, /npm ci|npm install|gcc|g\+\+|make|python/)
  })

  test('sets only settings that exist', () => {
    const text = argumentsOf(service, 'ENV').join(' ')
    const env = Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
    assert.equal(env.DOCVET_HOST, '0.0.0.0')
    const names = Object.values(SETTINGS).map(({ name }): string => name)
    for (const name of Object.keys(env)) assert.ok(/^(NODE_ENV|MALLOC_.+)$/.test(name) || names.includes(name), name)
  })

  test('copies everything that the service needs, and nothing of npm but YARA-X', async () => {
    const work = temporaryFolder('image')
    // The compiled programs contain their path, so both stages use the same, as in the image.
    const [root, built] = [path.join(work, 'docvet'), path.join(work, 'built')]
    buildIn(root)
    renameSync(root, built)
    for (const [from, to] of copies(service)) {
      const source = path.join(built, path.relative('/docvet', from))
      cpSync(source, path.join(root, to), { recursive: true })
    }
    rmSync(built, { recursive: true })
    try {
      assert.deepEqual(readdirSync(path.join(root, 'node_modules')).sort(), ['.cache', '@virustotal'])
      // Without the packages, only the compiled service can start.
      await using started = await startService({}, { main: path.join(root, 'server/main.ts') })
      const { apiKey } = await signUp(started.port)
      assertInfected(await scan(started.port, apiKey, EICAR), /Eicar/i)
      assert.equal((await request(started.port, 'GET', '/')).status, 200)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  })
})

/** Like the first stage, but with the packages and the dashboard of this checkout. */
function buildIn(root: string): void {
  const modules = path.join(root, 'node_modules')
  mkdirSync(modules, { recursive: true })
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name))
  }
  for (const name of [
    'server',
    'inspect',
    'cli',
    'packages/client/src',
    'scripts',
    'web',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'LICENSE',
  ])
    cpSync(path.join(ROOT, name), path.join(root, name), {
      recursive: true,
      filter: (file) => !file.endsWith('.test.ts'),
    })
  rmSync(path.join(root, 'inspect/testing'), { recursive: true })
  const { status, stderr } = spawnSync(process.execPath, ['scripts/compile.ts'], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

/** Source and target of each file or folder that a stage copies from another. */
function copies(stage: Instruction[]): [string, string][] {
  return argumentsOf(stage, 'COPY').flatMap((text) => {
    const names = text.split(/\s+/)
    const target = names.pop() ?? ''
    return names.map((name): [string, string] => [name, target === './' ? path.basename(name) : target])
  })
}

interface ComposeService {
  image: string
  environment?: Record<string, string>
  networks: string[]
  ports?: string[]
  depends_on?: Record<string, unknown>
  [name: string]: unknown
}

suite('compose.yaml', () => {
  const { services, networks, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, ComposeService>
    networks: Record<string, { internal?: boolean }>
    volumes: Record<string, unknown>
  }

  test('has a valid configuration for the service', () => {
    const { PGPASSWORD, ...given } = services.docvet?.environment ?? {}
    // In a URL, characters such as @ would need an encoding.
    assert.equal(PGPASSWORD, services.postgres?.environment?.POSTGRES_PASSWORD)
    const resolved = Object.entries(given).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')])
    const DOCVET_SECRET_KEY = Buffer.alloc(32).toString('base64')
    const config = loadConfig({ ...Object.fromEntries(resolved), DOCVET_SECRET_KEY })
    assert.deepEqual(config.warnings, [])
    assert.deepEqual(config.engines, ['embedded', 'clamd'])
    assert.deepEqual(
      [config.databaseUrl, config.redisUrl],
      ['postgres://docvet@postgres:5432/docvet', 'redis://valkey:6379'],
    )
  })

  test('has no default for a password, and says how to set one', () => {
    const passwords = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|KEY/.test(name)),
    )
    assert.equal(passwords.length, 3)
    for (const [name, value] of passwords)
      assert.match(value, /^\$\{(?:DATABASE_PASSWORD|SECRET_KEY):\?[^}]*\.env[^}]*\}$/, name)
  })

  test('takes every setting from .env, and no other name that the service would report as unknown', () => {
    assert.deepEqual(services.docvet?.env_file, [{ path: '.env', required: false }])
    const variables = [...read('compose.yaml').matchAll(/\$\{(DOCVET_\w+)/g)].map(([, name]) => name)
    assert.deepEqual(variables, ['DOCVET_PUBLIC_URL', 'DOCVET_EMBEDDED_CHILDREN'])
  })

  test('publishes only the service, on loopback by default, and keeps the rest on an internal network', () => {
    assert.equal(networks.back?.internal, true)
    for (const [name, service] of Object.entries(services)) {
      assert.ok(service.networks.includes('back'), name)
      assert.equal(service.ports !== undefined, name === 'docvet', name)
      for (const network of service.networks) assert.ok(network in networks, network)
    }
    assert.match(services.docvet?.ports?.join() ?? '', /:-127\.0\.0\.1:8080\}:8080$/)
    assert.deepEqual(services.docvet?.cap_drop, ['ALL'])
    assert.equal(services.docvet?.read_only, true)
    assert.deepEqual(services.docvet?.security_opt, ['no-new-privileges:true'])
  })

  test('refers only to services, volumes and files that exist', () => {
    for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) assert.ok(name in services, name)
      for (const mount of mounts as string[]) {
        const [source = ''] = mount.split(':')
        assert.ok(source.startsWith('./') ? existsSync(path.join(ROOT, source)) : source in volumes, mount)
      }
    }
  })

  test('starts clamd with our configuration and signatures, and ends with it', () => {
    const [, , command = ''] = (services.clamav?.entrypoint ?? []) as string[]
    assert.ok(read('deploy/helm/docvet/templates/clamd.yaml').includes(`- ${command}\n`), 'the chart differs')
    const root = temporaryFolder('clamd-container')
    const folder = (name: string) => mkdirSync(path.join(root, name), { recursive: true, mode: 0o777 })
    for (const name of ['bin', 'tmp', 'docvet', 'var/tmp/clamav/left', 'var/lib/clamav']) folder(name)
    copyFileSync(path.join(ROOT, 'deploy/clamd.conf'), path.join(root, 'docvet/clamd.conf'))
    const program = (name: string, lines: string) =>
      writeFileSync(path.join(root, 'bin', name), `#!/bin/sh\necho ${name} "$@" >> ${root}/calls\n${lines}\n`, {
        mode: 0o755,
      })
    program('freshclam', `case "$*" in *--daemon*) ;; *) touch ${root}/var/lib/clamav/main.cvd ;; esac`)
    program('clamd', 'sleep 0.2; exit 3')
    // The folders of the container, below one of ours.
    const moved = command.replace(/(?<=> |=)\/tmp\/|\/docvet\/|\/var\//g, `${root}$&`)
    const start = () => {
      const env = { PATH: `${root}/bin:${process.env.PATH}` }
      const { status, stderr } = spawnSync('sh', ['-c', moved], { env, encoding: 'utf8' })
      assert.deepEqual([status, stderr], [3, ''])
      const calls = readFileSync(path.join(root, 'calls'), 'utf8').trim().replaceAll(root, '').split('\n')
      rmSync(path.join(root, 'calls'))
      return calls.toSorted()
    }
    const always = ['clamd --foreground --config-file=/tmp/clamd.conf', 'freshclam --daemon --foreground --stdout']
    assert.deepEqual(start(), [...always, 'freshclam --stdout'])
    assert.deepEqual(start(), always)
    assert.deepEqual(readdirSync(path.join(root, 'var/tmp/clamav')), [])

    const written = readFileSync(path.join(root, 'tmp/clamd.conf'), 'utf8')
    const settings = written.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of ['TCPAddr 0.0.0.0', 'TCPSocket 3310', 'LocalSocket /tmp/clamd.sock', 'AlertExceedsMax yes'])
      assert.ok(settings.includes(line), line)
    assert.equal(settings.filter((line) => line.startsWith('LocalSocket ')).length, 1)
    rmSync(root, { recursive: true })
  })
})

suite('the systemd unit', () => {
  const lines = read('deploy/docvet.service')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const settingOf = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

  test('consists of sections and assignments, each once', () => {
    assert.deepEqual(
      lines.filter((line) => line.startsWith('[')),
      ['[Unit]', '[Service]', '[Install]'],
    )
    const names = lines.filter((line) => !line.startsWith('[')).map((line) => line.split('=', 1)[0])
    assert.ok(names.every((name) => /^[A-Z][A-Za-z]+$/.test(name ?? '')))
    assert.equal(new Set(names).size, names.length)
  })

  test('starts the program that exists, and gives it longer to stop than the service takes', () => {
    assert.match(settingOf('ExecStart') ?? '', /^(\/opt\/docvet)\/node_modules\/\.bin\/node .* \1\/server\/main\.ts$/)
    assert.ok(Number(settingOf('TimeoutStopSec')) > 45)
  })

  test('is reloaded only if the process handles SIGHUP', async () => {
    const [, command = ''] = /^\/bin\/sh -c '(.*)'$/.exec(settingOf('ExecReload') ?? '') ?? []
    const reload = () => spawnSync('sh', ['-c', command], { env: { ...process.env, MAINPID: `${process.pid}` } }).status
    assert.equal(reload(), 1)
    const signal = once(process, 'SIGHUP')
    assert.equal(reload(), 0)
    await signal
  })

  test('has no rights that the service does not need', () => {
    assert.equal(settingOf('NoNewPrivileges'), 'yes')
    assert.equal(settingOf('CapabilityBoundingSet'), '')
    assert.equal(settingOf('ProtectSystem'), 'strict')
    // They would disable something that the service needs: compiled code, and bubblewrap, which needs all of /proc.
    const covering = ['ProtectKernelTunables', 'ProtectKernelLogs', 'ProtectHostname', 'ProcSubset']
    const calls = settingOf('SystemCallFilter')?.split(' ') ?? []
    for (const call of ['seccomp', 'unshare', 'landlock_create_ruleset', 'landlock_add_rule', 'landlock_restrict_self'])
      assert.ok(calls.includes(call), call)
    for (const name of ['MemoryDenyWriteExecute', 'RestrictNamespaces', ...covering])
      assert.equal(settingOf(name), undefined, name)
  })
})

test('CI uses actions by their commit, which nobody can move, and says which version it is', () => {
  const used = [...read('.github/workflows/ci.yml').matchAll(/uses: (.+)$/gm)].map(([, name = '']) => name)
  assert.ok(used.length >= 2)
  for (const name of used) assert.match(name, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('CI installs every server that the tests need', () => {
  const [, packages = ''] =
    /apt-get install --yes --no-install-recommends (.+)$/m.exec(read('.github/workflows/ci.yml')) ?? []
  const needed = Object.values(SERVERS).flatMap(({ aptPackage }) => aptPackage.split(' '))
  assert.deepEqual(packages.split(' ').sort(), needed.sort())
})
