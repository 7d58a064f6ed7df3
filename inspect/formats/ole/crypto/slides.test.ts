/** Presentations of PowerPoint 2003 that a password opens. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { packageObject } from '#inspect/testing/package-writer.ts'
import { lockSlides, pngRecord, pptRecord, storeRecord } from '#inspect/testing/ppt-lock.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeVba } from '#inspect/testing/vba-writer.ts'
import { SLIDES_PASSWORD } from './slides.ts'

const { inspect } = useInspector()

type Plan = Parameters<typeof lockSlides>[0]

function outcomeOf(streams: Record<string, Buffer>, ...passwords: string[]): (string | undefined)[] {
  const { findings, obstacle } = inspect(writeOle({ streams }), { passwords })
  return [findings.find(({ severity }) => severity === 'malicious')?.id, obstacle?.reason]
}

const CLEAN = [undefined, undefined]
const LOCKED = [undefined, 'encrypted']
const INFECTED = ['Docvet.Test.Eicar', undefined]
const password = 'sécret'
const text = (content: string): Buffer => pptRecord(0xf, 0x03e8, pptRecord(0, 0x0fa8, Buffer.from(content)))
const harmless = text('Good morning')

/** An object or a project of macros: a compressed compound file. */
function stored(compound: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(compound.length)
  return pptRecord(0x10, 0x1011, Buffer.concat([size, deflateSync(compound)]))
}

const AUTOMATIC = 'Sub Auto_Open()\r\nShell "powershell -w hidden -enc SQBFAFgA", 0\r\nEnd Sub\r\n'
const macros = (source: string): Buffer => stored(writeVba({ Module1: `Attribute VB_Name = "Module1"\r\n${source}` }))

suite('an encrypted presentation', () => {
  const opened = (plan: Plan) => outcomeOf(lockSlides({ objects: [harmless], password, ...plan }), 'wrong', password)

  test('is inspected under the right password', () => {
    for (const keyBits of [0, 40, 56, 128]) {
      assert.deepEqual(opened({ keyBits }), CLEAN)
      assert.deepEqual(opened({ keyBits, objects: [harmless, text(EICAR)] }), INFECTED)
    }
  })
  test('has its macros and objects judged', () => {
    assert.equal(opened({ objects: [harmless, macros(AUTOMATIC)] })[0]?.startsWith('Docvet.Vba.'), true)
    assert.deepEqual(opened({ objects: [harmless, macros('Sub Total()\r\nMsgBox 1\r\nEnd Sub\r\n')] }), CLEAN)
    const program = packageObject('a.exe', Buffer.from(EICAR))
    assert.notEqual(opened({ objects: [harmless, stored(program)] })[0], undefined)
  })
  test('has its pictures and properties inspected', () => {
    assert.deepEqual(opened({ pictures: [pngRecord('a picture'), pngRecord(EICAR)] }), INFECTED)
    assert.deepEqual(opened({ pictures: [storeRecord('name', pngRecord(EICAR)), pngRecord('a')] }), INFECTED)
    assert.deepEqual(opened({ pictures: [pngRecord('a picture')], properties: { Summary: 'Title' } }), CLEAN)
    assert.deepEqual(opened({ properties: { Summary: 'Title', Other: EICAR } }), INFECTED)
  })
  test('stays closed under a wrong password or none', () => {
    const streams = lockSlides({ password, objects: [harmless], properties: { Summary: 'Title' } })
    for (const wrong of [[], ['secret'], ['']]) assert.deepEqual(outcomeOf(streams, ...wrong), LOCKED)
  })
  test('opens under the password that PowerPoint tries by itself', () => {
    const plan = { password: SLIDES_PASSWORD, objects: [harmless, macros(AUTOMATIC)] }
    assert.equal(outcomeOf(lockSlides(plan))[0]?.startsWith('Docvet.Vba.'), true)
    assert.deepEqual(outcomeOf(lockSlides({ password: SLIDES_PASSWORD, objects: [harmless] })), CLEAN)
  })
  test('is recognised without the mark of encrypted presentations', () => {
    const token = 0xe391c05f
    assert.deepEqual(outcomeOf(lockSlides({ password, token, objects: [text(EICAR)] })), LOCKED)
    assert.deepEqual(opened({ token, objects: [text(EICAR)] }), INFECTED)
  })
  test('stays closed if anything in it cannot be decrypted', () => {
    assert.equal(opened({ previous: 8 })[1], 'encrypted')
    // The first object is in two places, ends after the stream, or has another in it.
    assert.equal(opened({ edit: ([, ...rest]) => [99_999, ...rest] })[1], 'encrypted')
    assert.equal(
      opened({ objects: [harmless, harmless], edit: ([one = 0, , end = 0]) => [one, one + 8, end] })[1],
      'encrypted',
    )
    const streams = lockSlides({ password, objects: [harmless], pictures: [pngRecord('a')], properties: { a: 'b' } })
    const cut = (name: string, bytes: number) => ({
      ...streams,
      [name]: Buffer.from(streams[name]?.subarray(0, bytes) ?? ''),
    })
    assert.equal(outcomeOf(cut('Pictures', 20), password)[1], 'encrypted')
    assert.equal(outcomeOf(cut('EncryptedSummary', 7), password)[1], 'encrypted')
    assert.equal(outcomeOf(cut('Current User', 17), password)[1], 'encrypted')
  })
  test('may be cut anywhere without a fault', () => {
    const { 'PowerPoint Document': slides = Buffer.alloc(0), ...rest } = lockSlides({ password, objects: [harmless] })
    for (let length = 1; length < slides.length; length += 7)
      assert.equal(outcomeOf({ ...rest, 'PowerPoint Document': slides.subarray(0, length) }, password)[1], 'encrypted')
  })
})
