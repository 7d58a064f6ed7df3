import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { claimPort, GIVEN_PORTS, temporaryFolder } from '#test/support/service.ts'

const folder = temporaryFolder('ports')
after(() => rmSync(folder, { recursive: true, force: true }))

test('a port is given to one process of a run only', () => {
  assert.equal(claimPort(10_000, folder), true)
  assert.equal(claimPort(10_000, folder), false)
  assert.equal(claimPort(10_001, folder), true)
  assert.throws(() => claimPort(10_000, path.join(folder, 'missing')), { code: 'ENOENT' })
})

test('a process of a run says which port it was given', async () => {
  const source = "import { freePort } from '#test/support/service.ts'; console.log(await freePort())"
  const args = ['--input-type=module', '--eval', source]
  const env = { ...process.env, [GIVEN_PORTS]: folder }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: import.meta.dirname })
  assert.ok(readdirSync(folder).includes(stdout.trim()))
})
