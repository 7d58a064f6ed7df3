/** Addresses that are not ours are found, however they are written. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasForeignLink } from './links.ts'
import { FACTS } from './testing/facts.ts'
import { GOOD, judge } from './testing/judge.ts'

describe('links', () => {
  const FOREIGN = [
    'https://evil.example',
    'see HTTP://EVIL.EXAMPLE/x',
    'https://scan.docvet.test.evil.example/docs',
    'https://scan.docvet.test@evil.example/',
    'http://scan.docvet.test/docs',
    'https://scan.docvet.test:8443/',
    'ftp://scan.docvet.test/',
    'hxxps://evil.example',
    '//evil.example/x',
    'www.evil.example',
    'evil.com',
    'docs at evil.io/docvet',
    'evil[.]com',
    'evil dot com',
    '203.0.113.7',
    '[x](javascript:alert(1))',
    'data:text/html,x',
    'mailto:a@b.example',
    'write to help@evil.org',
    'evil.zone',
    'evil.museum/docvet',
    'пример.рф',
    'evil。com',
    'evil．example',
    'evil｡info',
    'docvet.zip/setup',
    'https:evil.example',
    'http:/evil.example',
    'https:\\\\evil.example',
    'scan.docvet.test:8443',
    // Only by how it begins: nothing else says that it is an address.
    '//intranet/x',
    'see (//intranet)',
    'src="//intranet"',
    'src=//intranet',
    '<//intranet>',
    '[//intranet]',
    'www.7',
    // The right host, but with somebody's name or password before it.
    'https://evil@scan.docvet.test/docs',
    'https://:evil@scan.docvet.test/docs',
  ]
  for (const text of FOREIGN) {
    test(`foreign: ${text}`, () => assert.equal(hasForeignLink(text, FACTS.publicUrl, ''), true))
  }

  test('our own pages, and what only looks like a host, are none', () => {
    const own = [
      'https://scan.docvet.test',
      'https://scan.docvet.test/docs.',
      '(https://scan.docvet.test/problems/busy)',
    ]
    const names = [
      'invoice.pdf',
      'data/docvet.sqlite',
      'node.js',
      'e.g. this',
      'setup.zip',
      'docvet.sqlite and clamd.conf',
      'scan.docvet.test',
      'https://scan.docvet.test:443/docs',
      'at 10:30',
      'key: value',
    ]
    for (const text of [...own, ...names, 'POST /api/v1/scan', 'version 1.2.3'])
      assert.equal(hasForeignLink(text, FACTS.publicUrl, ''), false, text)
  })

  test('what stands in the sources is none, but a longer one that begins alike is', () => {
    const sources =
      'such as tcp://host:3310; listens on 127.0.0.1, scan.acme.com and https://scan.acme.com/docs. `Docvet.Test.Eicar`'
    for (const text of ['Docvet.Test.Eicar', 'scan.acme.com', 'https://scan.acme.com/docs', 'See scan.acme.com.'])
      assert.equal(hasForeignLink(text, FACTS.publicUrl, sources), false, text)
    for (const text of ['scan.acme.co', 'acme.com', 'https://scan.acme.co', 'https://scan.acme.com/doc', 'Docvet.Test'])
      assert.equal(hasForeignLink(text, FACTS.publicUrl, sources), true, text)
    assert.equal(hasForeignLink('tcp://host:3310', FACTS.publicUrl, sources), false)
    assert.equal(hasForeignLink('127.0.0.1', FACTS.publicUrl, sources), false)
    assert.equal(hasForeignLink('27.0.0.1', FACTS.publicUrl, sources), true)
    assert.equal(hasForeignLink('tcp://host:33100', FACTS.publicUrl, sources), true)
  })

  test('what is taken out of a reply is judged before', () => {
    for (const hidden of ['![quota](https://evil.example/x.png)', '<img src=https://evil.example/x.png>'])
      assert.deepEqual(judge(`${GOOD} ${hidden}`), { kind: 'declined', by: 'link' }, hidden)
  })

  test('what comes together when something is taken out is judged after', () => {
    for (const spread of ['evil<b></b>.example', 'evil**.**example', 'https:/<!-- -->/evil.example'])
      assert.deepEqual(judge(`${GOOD} ${spread}`), { kind: 'declined', by: 'link' }, spread)
  })
})
