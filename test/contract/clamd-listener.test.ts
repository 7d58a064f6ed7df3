/** The clamd listener of a running service: commands, verdicts, charges and reports. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { exchange, instream, scanOver, type Target } from '#test/support/clamd-wire.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'

let service: ListenerService
let plain: Target
let found: Target
before(async () => {
  service = await startListenerService(['', 'unscannable=found'])
  ;[plain, found] = service.targets as [Target, Target]
})
after(() => service[Symbol.asyncDispose]())

const ENCRYPTED = writeZip([{ name: 'a.txt', data: 'Good morning', local: { flags: 1 }, central: { flags: 1 } }])

describe('a document over the clamd port', () => {
  test('gets its verdict, and is charged to the key of the listener', async () => {
    const before = await service.used(service.secret)
    assert.equal(await scanOver(plain, 'Good morning'), 'stream: OK\0')
    assert.match(await scanOver(plain, EICAR), /^stream: [\w.]+ FOUND\0$/)
    assert.equal(await exchange(plain, instream('Good morning', 'n')), 'stream: OK\n')
    assert.equal(await service.used(service.secret), before + 3)
  })

  test('that cannot be inspected is answered by the option of the listener, and not charged', async () => {
    const before = await service.used(service.secret)
    assert.equal(await scanOver(plain, ENCRYPTED), 'stream: Encrypted document ERROR\0')
    assert.equal(await scanOver(found, ENCRYPTED), 'stream: Heuristics.Encrypted.Docvet FOUND\0')
    assert.equal(await service.used(service.secret), before)
  })

  test('without a byte is clean, and not charged', async () => {
    const before = await service.used(service.secret)
    assert.equal(await exchange(plain, Buffer.from('zINSTREAM\0\0\0\0\0')), 'stream: OK\0')
    assert.equal(await service.used(service.secret), before)
  })
})
