/** The object that a model writes, and its reply as plain text. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { visible } from './conversation.ts'
import { hasCode, isPlainlyWritten, plainText, REPLY_LENGTH_MAX, readStructured, WORD_LENGTH_MAX } from './reply.ts'
import { GOOD, judge, QUOTA } from './testing/judge.ts'

describe('the object', () => {
  test('is read as it is, in a fence, and after thinking', () => {
    const object = '{"onTopic":true,"reply":"a","more":1}'
    for (const content of [object, ` ${object}\n`, `\`\`\`json\n${object}\n\`\`\``, `<think>hm {</think>\n${object}`])
      assert.deepEqual(readStructured(content), { onTopic: true, reply: 'a' })
  })

  test('is read with text after it, which is dropped, whatever its strings hold', () => {
    const reply = 'a } " { b'
    const object = JSON.stringify({ onTopic: true, reply, more: { a: 1 } })
    for (const after of ['\n\nI hope this helps!', ' }', '\n```'])
      assert.deepEqual(readStructured(object + after), { onTopic: true, reply }, after)
    assert.equal(readStructured(`${object} {}`), null)
    assert.equal(readStructured(`${object} I could also say {"onTopic":false`), null)
  })

  test('anything else is none', () => {
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

  test('off topic by its own word: declined, whatever it says', () => {
    assert.deepEqual(judge(GOOD, QUOTA, false), { kind: 'declined', by: 'model' })
    assert.deepEqual(judge(GOOD, QUOTA), { kind: 'answer', text: GOOD })
  })

  test('empty and over-long replies are none', () => {
    for (const reply of ['', ' ', '\u200b', '<br>'])
      assert.deepEqual(judge(reply, QUOTA), { kind: 'unusable', why: 'empty' })
    const sentence = 'The quota counts scans. '
    const long = sentence.repeat(REPLY_LENGTH_MAX / sentence.length + 1).slice(0, REPLY_LENGTH_MAX - 1)
    assert.equal(judge(`${long}.`, QUOTA).kind, 'answer')
    assert.deepEqual(judge(`${long}s.`, QUOTA), { kind: 'unusable', why: 'too long' })
    // One character that shows as three.
    assert.deepEqual(judge(`${long}…`, QUOTA), { kind: 'unusable', why: 'too long' })
  })
})

describe('letters', () => {
  const ODD: [string, string][] = [
    ['another script', 'Квота'],
    ['letters that look like ours', 'qu\u043eta'],
    ['squares', '🄰🟦🟥'],
    ['braille', '⠓⠑⠇⠇⠕'],
    ['dots and dashes', '.... . .-.. .-.. ---'],
    ['slashes', '////'],
    ['four dots', '....'],
    ['a long word', `x${'y'.repeat(WORD_LENGTH_MAX)}`],
    ['a long word of letters and digits', `VGhl1${'q0'.repeat(WORD_LENGTH_MAX / 2)}`],
  ]
  for (const [name, odd] of ODD) {
    test(`${name}: declined`, () =>
      assert.deepEqual(judge(`${GOOD} ${odd}`, QUOTA), { kind: 'declined', by: 'letters' }))
  }

  test('words of other countries, quotes, dashes, an ellipsis, lists and the longest word are plain', () => {
    const longest = 'y'.repeat(WORD_LENGTH_MAX)
    for (const text of ['café Größe', '“a” – ‘b’ — c…', '- a\n- b\n• c', '1 × 2 → 3 €', longest, 'a ./b...'])
      assert.equal(isPlainlyWritten(visible(text), ''), true, text)
    assert.equal(isPlainlyWritten(`${longest}y`, ''), false)
    assert.equal(isPlainlyWritten(`${longest}y`, `A ${longest}Y.`), true)
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
  for (const [written, shown] of CASES) test(JSON.stringify(written), () => assert.equal(plainText(written), shown))
})

describe('programs', () => {
  const CODE = [
    'import os\nfor file in os.listdir("."):\n    os.remove(file)',
    'from pathlib import Path',
    'def scan(file):',
    'function scan(file) { return file }',
    'const key = 1',
    'files.map(file => file.size)',
    'if file is infected:\n    delete file',
    'document = scan("file")',
    'select key from account;\nSend it.',
    'Sub AutoOpen()',
    'select email from accounts where keys is null',
    'Send: create table keys (id text)',
  ]
  for (const code of CODE) test(`code: ${JSON.stringify(code)}`, () => assert.equal(hasCode(code), true))

  test('a program is not what we have written, even if every word of it is', () => {
    assert.deepEqual(judge('quota = scan("key")'), { kind: 'ungrounded', by: 'code' })
  })

  test('commands, JSON, settings and sentences are none', () => {
    for (const text of [
      'curl -X POST https://scan.docvet.test/api/v1/scan -H "X-API-Key: $DOCVET_KEY" -F file=@invoice.pdf',
      'npm ci && npm start',
      'POST {"email":"you@example.com"} to it.',
      'Set DOCVET_CHAT_ENABLED=false.',
      'DELETE /api/v1/keys/{id}',
      'For an archive: every part.\nIf it fails: wait.',
      'Import the key from a file, or let it be read.',
      'From there on, wait; then try again.',
    ])
      assert.equal(hasCode(text), false, text)
  })
})
