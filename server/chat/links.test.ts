/** Foreign URLs and hosts are found, however they are written. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FOREIGN_LINKS } from '#test/support/chat/foreign-links.ts'
import { GOOD, judge, KNOWN } from '#test/support/chat/judge.ts'
import { hasForeignLink } from './links.ts'

const isForeign = (text: string, sources = '', question = ''): boolean =>
  hasForeignLink(text, { ...KNOWN, sources, question })

describe('links', () => {
  test('every foreign URL and host is found', () => {
    const missed = FOREIGN_LINKS.filter((text) => !isForeign(text))
    assert.deepEqual(missed, [])
  })

  test('our own pages and file names are allowed', () => {
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

  test('URLs in the sources are allowed, longer or shorter ones are not', () => {
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

  test('a file name that could be a domain is allowed if the question names it, a domain never', () => {
    assert.equal(isForeign('Scan setup.zip.', '', 'Can I scan setup.zip?'), false)
    assert.equal(isForeign('See setup.zip?key=1', '', 'Can I scan setup.zip?'), true)
    assert.equal(isForeign('See docvet-support.com', '', 'Is it at docvet-support.com?'), true)
  })

  test('names of findings, response fields and platforms are allowed', () => {
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

  test('links in removed markup are found', () => {
    for (const hidden of ['![quota](https://evil.example/x.png)', '<img src=https://evil.example/x.png>'])
      assert.deepEqual(judge(`${GOOD} ${hidden}`), { kind: 'replaced', by: 'link' }, hidden)
  })

  test('links that appear when markup is removed are found', () => {
    for (const spread of ['evil<b></b>.example', 'evil**.**example', 'https:/<!-- -->/evil.example'])
      assert.deepEqual(judge(`${GOOD} ${spread}`), { kind: 'replaced', by: 'link' }, spread)
  })
})
