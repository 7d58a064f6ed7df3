import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const PROGRAM = `
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { closeInherited } from ${JSON.stringify(path.join(import.meta.dirname, 'inherited.ts'))}
const own = openSync('/etc/hostname')
if (process.argv[1] === 'close') closeInherited()
const { stdout } = spawnSync('ls', ['/proc/self/fd'], { encoding: 'utf8' })
setTimeout(() => console.log(JSON.stringify([stdout.trim().split('\\n').map(Number), own])), 10)
`

function descriptorsOfChild(argument: string): number[] {
  const run = `exec 9</etc/hostname 20</etc/hostname 251</etc/hostname; exec "$0" --input-type=module-typescript -e "$1" ${argument}`
  const { stdout, stderr } = spawnSync('bash', ['-c', run, process.execPath, PROGRAM], { encoding: 'utf8' })
  assert.equal(stderr, '')
  return JSON.parse(stdout)[0]
}

test('a child inherits no file of its grandparent', { skip: !existsSync('/proc/self/fdinfo') && 'no /proc' }, () => {
  assert.ok(descriptorsOfChild('keep').includes(251), 'Node closes only the first ones')
  // The fourth is the list itself.
  assert.deepEqual(descriptorsOfChild('close'), [0, 1, 2, 3])
})
