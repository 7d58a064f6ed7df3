/** Addresses that are not ours are found, however they are written. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasForeignLink } from './links.ts'
import { FACTS } from './testing/facts.ts'
import { GOOD, judge, WRITTEN } from './testing/judge.ts'

const isForeign = (text: string, sources = '', question = ''): boolean =>
  hasForeignLink(text, { ...WRITTEN, publicUrl: FACTS.publicUrl, sources, question })

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
    // What ends like a file may be a domain, and what stands beside it makes it one.
    'setup.zip',
    'docvet.zip',
    'docvet-support.zip?key=yours',
    'invoice.pdf?key=yours',
    'invoice.pdf/key',
    'docvet-support.sh',
    'docvet.md#key',
    'support@docvet.one',
    'evil@invoice.pdf',
    // Disguises.
    '.docvet-support.com',
    'docvet-support.com_',
    'docvet-support.com(docs)',
    'docvet-support . com',
    'docvet-support(.)com',
    'docvet-support .com',
    'docvet-support. com',
    'docvet·com',
    'docvet-support&#46;com',
    'docvet[dot]com',
    'h t t p s : / / docvet . com',
    // Ours only begins it.
    "https://scan.docvet.test'.docvet.com/docs",
    'https://scan.docvet.test/docs?next=//docvet.com',
    'https://scan.docvet.test/docs#key',
    'https://scan.docvet.test/sandbox\\@docvet.com',
    'https://scan.docvet.test/elsewhere',
    'scan.docvet.test/elsewhere',
    // No address, and fetched all the same.
    'npx docvet-start',
    'docker run docvet/docvet',
    'from github under docvet/docvet',
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
    test(`foreign: ${text}`, () => assert.equal(isForeign(text), true))
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
      'docvet.sqlite and clamd.conf',
      'scan.docvet.test',
      'https://scan.docvet.test:443/docs',
      'scan.docvet.test/docs',
      'https://scan.docvet.test/api/v1/keys/{id}',
      'at 10:30',
      'key: value',
    ]
    for (const text of [...own, ...names, 'POST /api/v1/scan', 'version 1.2.3'])
      assert.equal(isForeign(text), false, text)
  })

  test('what stands in the sources is none, but a longer one that begins alike is', () => {
    const sources =
      'such as tcp://host:3310; listens on 127.0.0.1, scan.acme.com and https://scan.acme.com/docs. `Docvet.Test.Eicar`'
    for (const text of ['Docvet.Test.Eicar', 'scan.acme.com', 'https://scan.acme.com/docs', 'See scan.acme.com.'])
      assert.equal(isForeign(text, sources), false, text)
    for (const text of ['scan.acme.co', 'acme.com', 'https://scan.acme.co', 'https://scan.acme.com/doc', 'Docvet.Test'])
      assert.equal(isForeign(text, sources), true, text)
    assert.equal(isForeign('scan.acme.com/evil', sources), true)
    assert.equal(isForeign('scan.acme.com?key=1', sources), true)
    assert.equal(isForeign('tcp://host:3310', sources), false)
    assert.equal(isForeign('127.0.0.1', sources), false)
    assert.equal(isForeign('27.0.0.1', sources), true)
    assert.equal(isForeign('tcp://host:33100', sources), true)
  })

  test('a file that may be a domain passes if the question has it, a domain never does', () => {
    assert.equal(isForeign('Scan setup.zip.', '', 'Can I scan setup.zip?'), false)
    assert.equal(isForeign('See setup.zip?key=1', '', 'Can I scan setup.zip?'), true)
    assert.equal(isForeign('See docvet-support.com', '', 'Is it at docvet-support.com?'), true)
  })

  test('names of findings of any article, fields of an answer and platforms are none', () => {
    for (const text of [
      'Docvet.Bomb.Ratio',
      '`Docvet.Zip.HiddenEntry`',
      'response.status',
      'ASP.NET',
      'file=@report.pdf',
    ])
      assert.equal(isForeign(text), false, text)
    assert.equal(isForeign('Docvet.Bomb.Ration'), true)
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
