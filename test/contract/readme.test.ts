/** Runs the commands of README.md and docs/ as a reader would paste them. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Service, startService, temporaryFolder } from '#test/support/service.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')

let service: Service
let folder: string
before(async () => {
  folder = temporaryFolder('readme')
  mkdirSync(path.join(folder, 'data'), { mode: 0o700 })
  copyFileSync(path.join(ROOT, 'README.md'), path.join(folder, 'README.md'))
  service = await startService({}, { dataDir: path.join(folder, 'data') })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function blocksOf(file: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`)
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}

/** Blocks without npm, git and a model: those need a checkout or another service. */
function commandsOf(file: string): string {
  return blocksOf(file, 'sh')
    .filter((block) => !/\b(?:npm|git)\b|api\/v1\/chat/.test(block))
    .join('\n')
}

/** In one shell, as if pasted block by block; an unset variable is an error. */
async function paste(...commands: string[]): Promise<string> {
  const env = { PATH: process.env.PATH }
  return (await run('sh', ['-uc', commands.join('\n')], { cwd: folder, env })).stdout
}

const firstScan = () => commandsOf('README.md')
let signedUp = 0
/** README's sign-up, with another address for each use. */
const setUp = () => (blocksOf('README.md', 'sh')[1] ?? '').replace('ada@', `ada${++signedUp}@`)

describe('commands in the documentation', () => {
  test('README: sign-up, clean scan, infected scan', async () => {
    const lines = (await paste(firstScan())).trim().split('\n')
    assert.match(lines[0] ?? '', /^API key: dv_live_\w+$/)
    const [clean, infected] = lines.slice(1).map((line) => JSON.parse(line))
    assert.deepEqual([clean.status, clean.threat, clean.fileName], ['clean', null, 'README.md'])
    assert.deepEqual([infected.status, infected.threat], ['infected', 'Docvet.Test.Eicar'])
  })

  test('README: the shown response has the fields of a real one', () => {
    const [shown = '{}'] = blocksOf('README.md', 'json')
    const fields = ['scanId', 'status', 'threat', 'fileName', 'fileSize', 'contentType', 'scannedAt']
    assert.deepEqual(Object.keys(JSON.parse(shown)), fields)
  })

  test('README: the Node example prints clean or rejected', async () => {
    const [program = ''] = blocksOf('README.md', 'js')
    writeFileSync(path.join(folder, 'scan.mjs'), program)
    const eicar = `printf '%s%s' 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR' '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*' > eicar.txt`
    const output = await paste(setUp(), eicar, 'node scan.mjs README.md', 'node scan.mjs eicar.txt')
    assert.match(output, /\nclean\nrejected\n$/)
  })

  test('docs/api.md: keys, sign-in, password reset and change', async () => {
    const output = await paste(setUp(), commandsOf('docs/api.md'))
    const account = '{"email":"grace@example.com","plan":"free","authProvider":"password"}'
    const lines = output.trim().split('\n').slice(2)
    assert.deepEqual(lines, ['204', account, account, '204', '202', '204', account, '204'])
  })

  test('docs/marketplace.md: a purchase from the sandbox', async () => {
    const output = await paste(setUp(), commandsOf('docs/marketplace.md'))
    const plans = [...output.matchAll(/"plan":"(\w+)","authProvider"/g)].map(([, plan]) => plan)
    assert.deepEqual(plans, ['pro', 'free', 'pro', 'business', 'business', 'free'])
  })

  test('docs/operations.md: a backup of a running service', async () => {
    const backup = blocksOf('docs/operations.md', 'sh').find((block) => block.includes('admin backup')) ?? ''
    await paste(backup.replace('npx docvet', `${process.execPath} ${path.join(ROOT, 'server/main.ts')}`))
    assert.match(readFileSync(path.join(folder, 'docvet-backup.sqlite'), 'latin1'), /^SQLite format 3/)
  })
})
