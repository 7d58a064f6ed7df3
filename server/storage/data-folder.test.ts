import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DATA_FOLDER, prepareDataFolder } from './data-folder.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

describe('a data folder that cannot be written', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvet-data-folder-'))
    chmodSync(folder, 0o755)
    // Where other users can read it; the checkout may be in a private folder.
    cpSync(path.join(import.meta.dirname, 'data-folder.ts'), path.join(folder, 'data-folder.ts'))
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  })
  after(() => rmSync(folder, { recursive: true }))

  /** As a user without rights, because root may write everywhere. */
  function failure(dataDir: string): { message: string; code: string } {
    const program = `
      import { prepareDataFolder } from ${JSON.stringify(path.join(folder, 'data-folder.ts'))}
      try { prepareDataFolder(${JSON.stringify(dataDir)}, [${JSON.stringify(path.join(dataDir, 'docvet.sqlite'))}]) }
      catch ({ message, code }) { console.log(JSON.stringify({ message, code })) }`
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    const node = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: '/', ...user })
    assert.equal(node.status, 0, node.stderr?.toString() ?? String(node.error))
    return JSON.parse(node.stdout.toString())
  }

  const ids = isRoot ? `${NOBODY}:${NOBODY}` : `${process.getuid?.()}:${process.getgid?.()}`
  const user = String.raw`the user (?:\S+ \(${ids}\)|${ids})`

  test('names the path, the user and the command', () => {
    const dataDir = path.join(folder, "ada's data")
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o500)
    const { message, code } = failure(dataDir)
    assert.equal(code, DATA_FOLDER)
    assert.match(
      message,
      new RegExp(`^The data folder ${dataDir} is not usable: ${user} cannot write to ${dataDir}\\. `),
    )
    const argument = `'${dataDir.replace("'", String.raw`'\''`)}'`
    assert.ok(message.endsWith(`Run as root: chown -R ${ids} ${argument} && chmod -R u+rwX ${argument}`), message)
    chmodSync(dataDir, 0o700)
  })

  test('also if it cannot be created', () => {
    const parent = path.join(folder, 'parent')
    mkdirSync(parent)
    chmodSync(parent, 0o555)
    const dataDir = path.join(parent, 'data')
    const { message } = failure(dataDir)
    const [uid, gid] = ids.split(':')
    assert.match(message, new RegExp(`${user} cannot create ${dataDir}\\. `))
    assert.ok(message.endsWith(`Run as root: install -d -m 700 -o ${uid} -g ${gid} ${dataDir}`), message)
  })

  test('also if only the database in it belongs to another user', () => {
    const dataDir = path.join(folder, 'of-others')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o777)
    const file = path.join(dataDir, 'docvet.sqlite')
    writeFileSync(file, '')
    chmodSync(file, 0o400)
    assert.match(failure(dataDir).message, new RegExp(`${user} cannot write to ${file}\\. `))
  })
})

test('a data folder that is a file, or below one, is named', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'docvet-data-folder-'))
  const file = path.join(parent, 'file')
  writeFileSync(file, '')
  for (const [dataDir, wrong] of [
    [file, `${file} is a file`],
    [path.join(file, 'data'), 'a part of the path is a file'],
  ] as const)
    assert.throws(() => prepareDataFolder(dataDir, []), {
      code: DATA_FOLDER,
      message: `The data folder ${dataDir} is not usable: ${wrong}. Set DOCVET_DATA_DIR to a folder.`,
    })
  rmSync(parent, { recursive: true })
})

test('a data folder is created for its user alone', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'docvet-data-folder-'))
  const dataDir = path.join(parent, 'a/b')
  prepareDataFolder(dataDir, [path.join(dataDir, 'docvet.sqlite')])
  assert.ok(existsSync(dataDir))
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  rmSync(parent, { recursive: true })
})
