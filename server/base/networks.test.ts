/** Networks and the addresses at their edges, in both notations of IPv4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkTest, parseNetwork, plainForm } from './networks.ts'

const FORMS: Record<string, string | null> = {
  '192.0.2.1': '192.0.2.1',
  '192.0.2.0/24': '192.0.2.0/24',
  '0.0.0.0/0': '0.0.0.0/0',
  '::ffff:127.0.0.1': '127.0.0.1',
  '::ffff:7f00:1': '127.0.0.1',
  '0:0:0:0:0:FFFF:7F00:0001': '127.0.0.1',
  '::ffff:10.0.0.0/104': '10.0.0.0/8',
  '::ffff:a00:0/128': '10.0.0.0/32',
  '::ffff:0:0/96': '0.0.0.0/0',
  // It has other addresses than those of IPv4 too.
  '::ffff:0:0/95': '::ffff:0:0/95',
  '::/0': '::/0',
  '2001:db8::/32': '2001:db8::/32',
  '::1': '::1',
  '192.0.2.0/33': null,
  '2001:db8::/129': null,
  '192.0.2.0/': null,
  '192.0.2.0/08': null,
  '192.0.2.0/8/8': null,
  'fe80::1%eth0': null,
  'example.com': null,
  '': null,
}
for (const [given, form] of Object.entries(FORMS))
  test(`${given || 'nothing'} is ${form ?? 'no network'}`, () => {
    assert.equal(parseNetwork(given)?.text ?? null, form)
  })

const EDGES: Record<string, { inside: string[]; outside: string[] }> = {
  '10.0.0.0/8': {
    inside: ['10.0.0.0', '10.255.255.255', '::ffff:10.0.0.1', '::ffff:aff:ffff'],
    outside: ['9.255.255.255', '11.0.0.0', '::ffff:11.0.0.0', '::10.0.0.1', ''],
  },
  '::ffff:10.0.0.0/104': { inside: ['10.0.0.0', '10.255.255.255', '::ffff:10.0.0.1'], outside: ['11.0.0.0', '::1'] },
  '127.0.0.1': { inside: ['127.0.0.1', '::ffff:7f00:1'], outside: ['127.0.0.2', '::1'] },
  '0.0.0.0/0': { inside: ['203.0.113.9', '::ffff:203.0.113.9'], outside: ['::1', '2001:db8::1'] },
  '::/0': { inside: ['::1', '2001:db8::1', 'fe80::1%eth0'], outside: ['203.0.113.9', '::ffff:203.0.113.9'] },
  '::ffff:0:0/95': { inside: ['::fffe:0:1'], outside: ['203.0.113.9', '::ffff:203.0.113.9'] },
  '2001:db8::/32': { inside: ['2001:db8::', '2001:DB8:ffff:ffff::1'], outside: ['2001:db7:ffff::', '2001:db9::'] },
}
for (const [network, { inside, outside }] of Object.entries(EDGES))
  test(`the addresses of ${network}`, () => {
    const isIn = networkTest([network])
    assert.deepEqual([inside.filter((each) => !isIn(each)), outside.filter(isIn)], [[], []])
  })

const PLAIN: Record<string, string> = {
  '192.0.2.1': '192.0.2.1',
  'fe80::1%eth0': 'fe80::1',
  '::ffff:192.0.2.1%1': '192.0.2.1',
  // No addresses: they stay what they are.
  '::ffff:c000:201]/': '::ffff:c000:201]/',
  '::ffff:c000:201]:80': '::ffff:c000:201]:80',
  'x:y@[::ffff:c000:201': 'x:y@[::ffff:c000:201',
}
for (const [given, plain] of Object.entries(PLAIN))
  test(`the plain form of ${given} is ${plain}`, () => {
    assert.equal(plainForm(given), plain)
  })
