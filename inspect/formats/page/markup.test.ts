import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { withinBudget } from '#inspect/core/work.ts'
import { readMarkup } from './markup.ts'

suite('markup', () => {
  test('reads tags, attributes and text', () => {
    const { tags, text } = readMarkup(
      '<P Class=a Title="b &amp; c">One <b>two</b>\n three</p><!-- <i> --><x:Img y:SRC=\'d\'/>',
    )
    assert.deepEqual(
      tags.map(({ name, attributes }) => [name, Object.fromEntries(attributes)]),
      [
        ['p', { title: 'b & c' }],
        ['img', { src: 'd' }],
      ],
    )
    assert.equal(text, 'One two three')
  })

  test('reads the content of scripts as it is', () => {
    const { tags, text } = readMarkup('<script>if (a < b) document.write("<p>")</SCRIPT >after')
    assert.deepEqual([tags[0]?.content, tags.length, text], ['if (a < b) document.write("<p>")', 1, 'after'])
  })

  test('continues after an unclosed quote and a lone bracket', () => {
    assert.deepEqual(
      readMarkup('a < b <i title="x> <a>').tags.map(({ name }) => name),
      ['i', 'a'],
    )
  })

  test('lists layout only with other attributes', () => {
    const { tags } = readMarkup('<html><td class="a" width=1><td onclick="a()"><img width=1>')
    assert.deepEqual(
      tags.map(({ name, attributes }) => [name, attributes.size]),
      [
        ['html', 0],
        ['td', 1],
        ['img', 0],
      ],
    )
  })

  test('a page of 200,000 cells fits into the budget', () => {
    const { exceeded, keptBytes } = withinBudget(LIMITS, () => void readMarkup('<td class="a">1</td>'.repeat(200_000)))
    assert.deepEqual([exceeded, keptBytes < 1_000], [false, true])
  })

  test('hostile markup ends within the budget', () => {
    for (const piece of ['<', '<a ', '<a b="', '<a b=\'"', '<!--', '<script>', '</', '<a b= ', '&amp;', '<a a a a a '])
      assert.equal(
        withinBudget(LIMITS, () => void readMarkup(piece.repeat(1_000_000 / piece.length))).exceeded,
        false,
        piece,
      )
  })
})

test('elements within a word do not part it', () => {
  const text = (source: string): string => readMarkup(source).text
  assert.equal(text('<p>pow<wbr>er<b>sh</b><!-- x -->ell</p><p>next</p>'), 'powershell next')
  assert.equal(text('<td>one</td><td>two</td><br>three'), 'one two three')
})
