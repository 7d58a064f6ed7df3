/** Real clients of clamd against the listener, each configured as its recipe says. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createReadStream, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { exchange } from '#test/support/clamd-wire.ts'
import { revokeKey } from '#test/support/client.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { type MailServer, startMailServer } from '#test/support/postfix.ts'
import { FILE_BYTES_MAX } from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { needs, PYTHON } from '#test/support/suite.ts'

const load = createRequire(import.meta.url)
const run = promisify(execFile)
const ENCRYPTED = writeZip([{ name: 'a.txt', data: 'Good morning', local: { flags: 1 }, central: { flags: 1 } }])
const THREAT = 'Docvet.Test.Eicar'

const FILES = {
  clean: Buffer.from('Good morning'),
  eicar: Buffer.from(EICAR),
  encrypted: ENCRYPTED,
  large: Buffer.alloc(FILE_BYTES_MAX + 1, 'Good morning. '),
}
type FileName = keyof typeof FILES
const NAMES = Object.keys(FILES) as FileName[]

let service: ListenerService
let port: number
const folder = temporaryFolder('peers')
const fileOf = (name: FileName): string => path.join(folder, name)

before(async () => {
  service = await startListenerService()
  const [target] = service.targets
  port = target && 'port' in target ? target.port : 0
  for (const name of NAMES) writeFileSync(fileOf(name), FILES[name])
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** `error` for any error that the client reports to its caller. */
type Verdict = 'clean' | 'infected' | 'error'
const EXPECTED: Record<FileName, Verdict> = { clean: 'clean', eicar: 'infected', encrypted: 'error', large: 'error' }

function describePeer(name: string, scan: (file: FileName) => Promise<Verdict>, options = {}): void {
  describe(name, options, () => {
    for (const file of NAMES)
      test(`${file}: ${EXPECTED[file]}`, async () => assert.equal(await scan(file), EXPECTED[file]))
  })
}

describe('clamdscan --stream', needs('clamdscan'), () => {
  const EXIT: Record<FileName, number> = { clean: 0, eicar: 1, encrypted: 2, large: 2 }
  for (const file of NAMES) {
    test(`exits with ${EXIT[file]} for the file ${file}`, async () => {
      const conf = path.join(folder, 'clamdscan.conf')
      // It cuts longer files at a limit of its own, and we would see a whole, shorter document.
      writeFileSync(conf, `TCPAddr 127.0.0.1\nTCPSocket ${port}\nStreamMaxLength 100M\n`)
      const args = ['--stream', '-c', conf, fileOf(file)]
      const ended = run('clamdscan', args).then((output) => ({ ...output, code: 0 }))
      const { code, stdout } = await ended.catch((error) => error as { code: number; stdout: string })
      assert.equal(code, EXIT[file], stdout)
      if (file === 'eicar') assert.match(stdout, new RegExp(`${THREAT} FOUND`))
    })
  }
})

interface ClamScan {
  init(options: object): Promise<ClamScan>
  isInfected(file: string): Promise<{ isInfected: boolean | null; viruses: string[] }>
  scanStream(stream: Readable): Promise<{ isInfected: boolean | null; viruses: string[] }>
  passthrough(): NodeJS.ReadWriteStream
  ping(): Promise<unknown>
  getVersion(): Promise<string>
}

const openClamScan = (): Promise<ClamScan> =>
  new (load('clamscan') as new () => ClamScan)().init({
    preference: 'clamdscan',
    clamscan: { active: false },
    clamdscan: { host: '127.0.0.1', port, timeout: 60_000, localFallback: false, multiscan: false },
  })

function verdictOf({ isInfected, viruses }: { isInfected: boolean | null; viruses: string[] }): Verdict {
  if (isInfected === null) return 'error'
  if (isInfected) assert.deepEqual(viruses, [THREAT])
  return isInfected ? 'infected' : 'clean'
}

const orError = (verdict: Promise<Verdict>): Promise<Verdict> => verdict.catch(() => 'error')

describePeer('npm clamscan, isInfected', async (file) => {
  const scanner = await openClamScan()
  return orError(scanner.isInfected(fileOf(file)).then(verdictOf))
})

describePeer('npm clamscan, scanStream', async (file) => {
  const scanner = await openClamScan()
  return orError(scanner.scanStream(createReadStream(fileOf(file))).then(verdictOf))
})

describePeer('npm clamscan, passthrough', async (file) => {
  const scanner = await openClamScan()
  const { promise, resolve } = Promise.withResolvers<Verdict>()
  const checked = scanner.passthrough()
  checked.on('scan-complete', (result) => resolve(verdictOf(result)))
  checked.on('error', () => resolve('error'))
  createReadStream(fileOf(file)).pipe(checked).pipe(new PassThrough()).resume()
  return promise
})

test('npm clamscan reads the version', async () => {
  assert.match(await (await openClamScan()).getVersion(), /^ClamAV \d/)
})

interface Clamdjs {
  createScanner(host: string, port: number): { scanBuffer(bytes: Buffer, timeout: number): Promise<string> }
  isCleanReply(reply: string): boolean
  ping(host: string, port: number): Promise<boolean>
  version(host: string, port: number): Promise<string>
}

describePeer('npm clamdjs', async (file) => {
  const { createScanner, isCleanReply } = load('clamdjs') as Clamdjs
  const scanned = createScanner('127.0.0.1', port).scanBuffer(FILES[file], 60_000)
  return orError(
    scanned.then((reply) => {
      if (isCleanReply(reply)) return 'clean'
      return reply.includes('FOUND') ? 'infected' : 'error'
    }),
  )
})

test('npm clamdjs pings and reads the version', async () => {
  const { ping, version } = load('clamdjs') as Clamdjs
  assert.equal(await ping('127.0.0.1', port), true)
  assert.match(await version('127.0.0.1', port), /^ClamAV \d/)
})

interface ClamavJs {
  createScanner(
    port: number,
    host: string,
  ): { scan(source: Readable, done: (error: Error | undefined, source: Readable, threat?: string) => void): void }
}

describePeer('npm clamav.js', (file) => {
  const scanner = (load('clamav.js') as ClamavJs).createScanner(port, '127.0.0.1')
  return new Promise((resolve) => {
    scanner.scan(createReadStream(fileOf(file)), (error, _source, threat) => {
      if (error) resolve('error')
      else resolve(threat === undefined ? 'clean' : 'infected')
    })
  })
})

const PYTHON_SCAN = `
import sys, pyclamd
daemon = pyclamd.ClamdNetworkSocket(host='127.0.0.1', port=int(sys.argv[1]), timeout=60)
assert daemon.ping() and daemon.version().startswith('ClamAV')
try:
    found = daemon.scan_stream(open(sys.argv[2], 'rb').read())
    print('clean' if found is None else 'infected' if found['stream'][0] == 'FOUND' else 'error')
except Exception as error:
    print('error')
`

describePeer(
  'pyclamd',
  async (file) => {
    const { stdout } = await run(PYTHON, ['-W', 'ignore', '-c', PYTHON_SCAN, String(port), fileOf(file)])
    return stdout.trim() as Verdict
  },
  needs('pyclamd'),
)

describe('Postfix with clamav-milter, and then a revoked key', needs('postfix'), () => {
  let mail: MailServer
  before(async () => {
    mail = await startMailServer(port)
  })
  after(() => mail?.[Symbol.asyncDispose]())

  test('mail is accepted, rejected and deferred', async () => {
    assert.equal(await mail.send(FILES.clean), 250)
    assert.equal(await mail.send(FILES.eicar), 550)
    assert.equal(await mail.send(FILES.encrypted), 451)
  })

  test('the owner of the key can revoke it', async () => {
    const { status } = await revokeKey(service.port, await service.newKey(), service.keyId)
    assert.equal(status, 404, 'another account cannot revoke it')
    assert.equal((await revokeKey(service.port, service.secret, service.keyId)).status, 204)
  })

  test('PING is no PONG, scans fail, and the port stays open', async () => {
    const target = { host: '127.0.0.1', port }
    for (const _again of [1, 2]) {
      assert.equal(await exchange(target, 'zPING\0'), 'Engine unavailable ERROR\0')
      assert.equal(await exchange(target, 'zINSTREAM\0\0\0\0\x05hello\0\0\0\0'), 'stream: Service unavailable ERROR\0')
      assert.match(await exchange(target, 'zVERSION\0'), /^ClamAV /)
    }
  })

  test('mail is deferred', async () => assert.equal(await mail.send(FILES.clean), 451))

  test('no library reads clean', async () => {
    const { createScanner, isCleanReply } = load('clamdjs') as Clamdjs
    assert.equal(isCleanReply(await createScanner('127.0.0.1', port).scanBuffer(FILES.clean, 60_000)), false)
    const { stdout } = await run(PYTHON, [
      ...['-W', 'ignore', '-c', PYTHON_SCAN.replace('daemon.ping() and ', ''), String(port), fileOf('clean')],
    ])
    assert.equal(stdout.trim(), 'error')
  })
})
