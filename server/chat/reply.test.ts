/** Reading the model's JSON object, and its reply as plain text. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge, promptFor, QUOTA } from '#test/support/chat/judge.ts'
import { plainText, REPLY_LENGTH_MAX, readStructured } from './reply.ts'

describe('the object', () => {
  test('is read plain, in a code fence and after reasoning', () => {
    const object = '{"onTopic":true,"reply":"a","more":1}'
    for (const content of [object, ` ${object}\n`, `\`\`\`json\n${object}\n\`\`\``, `<think>hm {</think>\n${object}`])
      assert.deepEqual(readStructured(content), { onTopic: true, reply: 'a' })
  })

  test('is read without the text after it, whatever its strings contain', () => {
    const reply = 'a } " { b'
    const object = JSON.stringify({ onTopic: true, reply, more: { a: 1 } })
    for (const after of ['\n\nI hope this helps!', ' }', '\n```'])
      assert.deepEqual(readStructured(object + after), { onTopic: true, reply }, after)
    assert.equal(readStructured(`${object} {}`), null)
    assert.equal(readStructured(`${object} I could also say {"onTopic":false`), null)
  })

  test('anything else is rejected', () => {
    const wrong = [
      '',
      'Hello',
      '[]',
      'null',
      '"a"',
      '{"onTopic":"true","reply":"a"}',
      '{"onTopic":true}',
      '{"reply":"a"}',
    ]
    for (const content of [...wrong, '{"onTopic":true,"reply":"a"} {"onTopic":true,"reply":"b"}'])
      assert.equal(readStructured(content), null, content)
  })

  test('empty and overlong replies are unusable', () => {
    for (const reply of ['', ' ', '\u200b', '<br>'])
      assert.deepEqual(judge(reply, QUOTA), { kind: 'unusable', why: 'empty' })
    const sentence = 'The quota counts scans. '
    const long = sentence.repeat(REPLY_LENGTH_MAX / sentence.length + 1).slice(0, REPLY_LENGTH_MAX - 1)
    assert.equal(judge(`${long}.`, QUOTA).kind, 'answer')
    assert.deepEqual(judge(`${long}s.`, QUOTA), { kind: 'unusable', why: 'too long' })
    // One character becomes three in NFKC.
    assert.deepEqual(judge(`${long}…`, QUOTA), { kind: 'unusable', why: 'too long' })
  })
})

describe('plain text', () => {
  const CASES: [string, string][] = [
    ['a <img src=x onerror=alert(1)> b', 'a  b'],
    ['a <im<b>g src=x> b', 'a  b'],
    ['<script>alert(1)</script>x', 'alert(1)x'],
    ['a<!-- c -->b', 'ab'],
    ['![logo](x.png)', 'logo'],
    ['[the docs](https://scan.docvet.test/docs)', 'the docs (https://scan.docvet.test/docs)'],
    ['**bold** and `code`', 'bold and `code`'],
    ['http://<host>:<port>, 1 < 2 > 0', 'http://<host>:<port>, 1 less than 2 > 0'],
    ['a\u202eb\u200b', 'ab'],
    ['a <custom-thing onload=x> b', 'a  b'],
    ['a <x/y> </blink> b', 'a   b'],
    ['!![logo][ref] and ![', '[logo] [ref] and ['],
    ['a <scan onclick=key() ', 'a scan onclick=key()'],
    [`a <${'scan-'.repeat(22)}x onclick=key()>`, `a ${'scan-'.repeat(22)}x onclick=key()>`],
    [`a <scan title="${'b '.repeat(220)}" onclick=key()>`, `a scan title="${'b '.repeat(220)}" onclick=key()>`],
    [`a <${'b'.repeat(30)}> <${'b'.repeat(31)}>`, `a <${'b'.repeat(30)}> ${'b'.repeat(31)}>`],
    ['a <sc**an onclick=key()', 'a scan onclick=key()'],
    ['![image](data(1)/docvet.png)', '[image] (data(1)/docvet.png)'],
    ['a\n[ref]: /x.png "t"\nb', 'a\n\nb'],
  ]
  test('has no elements, images or definitions, and shows links with their URL', () => {
    for (const [written, shown] of CASES) assert.equal(plainText(written), shown, written)
  })

  test('no reply gets out with markup in it', () => {
    for (const reply of [
      'The service scans documents. <scan onclick=key() ',
      'The service scans documents. <picture>docs</picture> <plaintext>',
      'The service scans documents. ![image][docs] and ![image](data(1)/docvet.png)',
    ]) {
      const judged = judge(reply, promptFor('How do I scan a document with an example?'))
      assert.ok(judged.kind !== 'answer' || !/<|!\[|\]\(/.test(judged.text), JSON.stringify(judged))
    }
  })
})
