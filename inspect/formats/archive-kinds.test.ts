/** Archives and disk images that are recognised but not unpacked. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { outcome } = useInspector()

/** Bytes without structure, the same on every run. */
const noise = Buffer.from(Array.from({ length: 800 }, (_, i) => (i * i * 31 + i * 7 + 131) & 0xff))
const start = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'latin1'), noise])
const end = (text: string): Buffer => Buffer.concat([noise, Buffer.from(text, 'latin1')])
const inZip = (data: Uint8Array): Buffer => writeZip([{ name: 'x.bin', data }])

suite('an archive of a kind that is not unpacked is too complex', () => {
  const kinds: Record<string, Buffer> = {
    'RAR 1.4': start('RE~^\x10\0\x80\0'),
    FreeArc: start('ArC\x01\x06\0'),
    'ZPAQ with a locator': start('7kSt\xa01\x83\xd3\x8c\xb2\x28\xb0\xd3zPQ\x02\x01'),
    'ZPAQ without a locator': start('zPQ\x01\x01'),
    'StuffIt X': start('StuffIt!\x10\0'),
    'Outlook store': start('!BDN\x124Vx\x53\x4d\x17\0'),
    'Outlook Express folder': start('\xcf\xad\x12\xfe\xc5\xfd\x74\x6f'),
    'Access database': start('\0\x01\0\0Standard Jet DB\0\x01'),
    'newer Access database': start('\0\x01\0\0Standard ACE DB\0\x02'),
    'Microsoft Reader book': start('ITOLITLS\x01\0\0\0'),
    'big-endian cpio': start('\x71\xc7\0\x01\0\x02\x81\xa4\0\0\0\0\0\x01\0\0\0\0\0\0\0\x06\0\0\0\x44e.com\0'),
    'Apple Archive': start('AA01\x20\0TYP1F'),
    'compressed Apple Archive': start('pbze\0\0\0\0\0\x40\0\0'),
    'pack (.z)': start('\x1f\x1e\0\0\x01\0\x03\x01\x01\x02abcd'),
    'old gzip': start('\x1f\x9e\x08\0'),
    'old Apple disk image': start('ER\x02\0\xb9\x04'),
    'encrypted Apple disk image': start('encrcdsa\0\0\0\x02'),
    'Nero image': end('NER5\0\0\0\0\0\0\x03\x20'),
    'old Nero image': end('NERO\0\0\x03\x20'),
    'Mobipocket book': Buffer.concat([Buffer.alloc(60, 'a\0'), start('BOOKMOBI')]),
    InstallShield: start('ISc(\x0c\x60\0\x01'),
    lrzip: start('LRZI\0\x06'),
    snappy: start('\xff\x06\0\0sNaPpY'),
    'encrypted Apple Archive': start('AEA1\0\0\0\0'),
    'old Apple Archive': start('YAA1\x20\0TYP1F'),
    'Windows image with other compression': start('WLPWM\0\0\0\xd0'),
    PMarc: start('\x22\0-pm2-\0\0'),
    'ARC by System Enhancement': start('\x1a\x08E.COM\0\0\0\0\0\0\0\0'),
    LZ5: start('\x05\x22\x4d\x18\x64'),
    Lizard: start('\x06\x22\x4d\x18\x64'),
    bzip3: start('BZ3v1\0\0\x10'),
    mozlz4: start('mozLz40\0'),
    'disk of an Amiga': start('DMS!\0\0'),
    NuFX: start('NuF\xe9l\xe5'),
    'Jar by ARJ': Buffer.concat([Buffer.alloc(14, '\x01'), start('\x1aJar\x1b\0')]),
    'encrypted disk': start('LUKS\xba\xbe\0\x01'),
  }
  for (const [name, data] of Object.entries(kinds)) test(name, () => assert.equal(outcome(inZip(data)), 'too_complex'))
})

test('texts and data that only begin alike are clean', () => {
  for (const text of [
    'StuffIt! is a program.',
    '!BDN is the signature of a store.',
    'AA01 is a gate.',
    'pbzip2 packs.',
    'DMS! DDAR!',
  ])
    assert.equal(outcome(inZip(Buffer.from(text))), undefined, text)
  for (const head of [
    '\x1f\x1e\0\0\x01\0\x19',
    '\x1f\x1e\0\0\x01\0\x02\x03',
    '\x1f\x9e\x07\0',
    '\x71\xc7\0\x01',
    'ER\x03\x01',
    '\x1a\x08\x80',
    '\x1a\x0cE.COM\0',
  ])
    assert.equal(outcome(inZip(start(head))), undefined, JSON.stringify(head))
})
