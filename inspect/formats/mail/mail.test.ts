/** Mail parts that programs interpret differently are inspected in every interpretation. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { OPEN_MAX } from '#inspect/codecs/mail-bounds.ts'
import { BOUNDARIES_MAX, COMMENTS_DEEP_MAX, HEAD_MAX, VALUE_MAX } from '#inspect/codecs/mime-parts.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()

const base64 = Buffer.from(EICAR).toString('base64')

function mail(header: string, body: string, more = ''): string {
  const part = `--x\r\nContent-Type: application/octet-stream; name="e.bin"\r\n${header}\r\n${more}\r\n${body}\r\n--x--\r\n`
  return `From: a@example.org\r\nSubject: Hi\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhello\r\n${part}`
}

function mailbox(mails: number, body: string, first = body): string {
  const of = (text: string): string =>
    `From a@b Mon Jan 1 00:00:00 2024\nFrom: a@b.c\nTo: d@e.f\nContent-Transfer-Encoding: quoted-printable\n\n${text}\n`
  return of(first) + of(body).repeat(mails - 1)
}

const within = (body: string): string =>
  `Content-Type: message/rfc822\n\nFrom: g@h.i\nContent-Transfer-Encoding: quoted-printable\n\n${body}`

/** Each has another mail within a part. */
function forwarded(mails: number, body: string): string {
  const of = (_: unknown, i: number): string =>
    `From a@b Mon Jan 1 00:00:00 2024\nFrom: a@b.c\nContent-Type: multipart/mixed; boundary="b${i}"\n\n--b${i}\n\nhi\n--b${i}\n${within(body)}\n--b${i}--\n\n`
  return Array.from({ length: mails }, of).join('')
}

function digest(mails: number, body: string): string {
  return `From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n${`--x\n${within(body)}\n`.repeat(mails)}--x--\n`
}

const in64 = (body: string, more = ''): string => mail('Content-Transfer-Encoding: base64', body, more)
const inZip = (text: string): Buffer => writeZip([{ name: 'a.eml', data: Buffer.from(text, 'latin1') }])

function uuencoded(text: string): string {
  const lines = text.match(/.{1,45}/g)?.map((piece) => {
    const digits = Buffer.from(piece.padEnd(Math.ceil(piece.length / 3) * 3, '\0'), 'latin1').toString('base64')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const shown = [...digits].map((digit) => String.fromCharCode(alphabet.indexOf(digit) + 0x20)).join('')
    return `${String.fromCharCode(piece.length + 0x20)}${shown}`
  })
  return `begin 644 e.com\r\n${lines?.join('\r\n')}\r\n\`\r\nend\r\n`
}

suite('EICAR is found', () => {
  const half = base64.slice(0, 40)
  const rest = base64.slice(40)
  const many = Array.from({ length: 300 }, (_, i) => `X-P${i}: ${'a'.repeat(60)}\r\n`).join('')
  const documents: [string, string | Buffer][] = [
    ['after a base64url character', in64(`${base64.slice(0, 5)}-${base64.slice(5, 9)}_${base64.slice(9)}`)],
    ['after a line of dashes', in64(`${half}\r\n--\r\n${rest}`)],
    // Four digits in each line, so that the next group is complete.
    ['after a boundary of another part', in64(`--more\r\n${base64}`).replace('hello', 'boundary=more; boundary=""')],
    ['after a line that begins like the boundary', in64(`--xabc\r\n${base64}`)],
    [
      'after a line like the boundary',
      in64(`--wxyz\r\n${base64}`).replace('Content-Type: app', '--wxyz\r\nContent-Type: app'),
    ],
    ['after more headers than others have', in64(base64, many)],
    ['after a line of spaces', in64(base64, ' \r\nX: a\r\n')],
    ['after stray padding', in64(`${base64.slice(0, 5)}=${base64.slice(5)}`)],
    ['after padding that starts a new group', in64(`A=${base64}`)],
    ['in uuencode', mail('Content-Transfer-Encoding: x-uuencode', uuencoded(EICAR))],
    ['in a mail with a NUL', inZip(in64(base64).replace('Hi', 'H\0i'))],
    ['in a mail with a control character', inZip(in64(base64).replace('hello', 'he\x01llo'))],
    ['in a mail after a PDF header', `%PDF-1.7\n${in64(base64)}`],
    ['in a header of two lines', mail('Content-Transfer-Encoding:\r\n base64', base64)],
    ['in a header with a space', mail('Content-Transfer-Encoding : base64', base64)],
    ['in a header with comments', mail('Content-Transfer-Encoding: (x (y)) base64', base64)],
    ['in a header with quotes', mail('content-transfer-encoding:"Base64"', base64)],
    [
      'over a soft break with a space',
      mail('Content-Transfer-Encoding: quoted-printable', `${EICAR.slice(0, 30)}= \t\r\n${EICAR.slice(30)}`),
    ],
    ['in the second of two parts', in64('QUJD').replace('--x--\r\n', in64(base64).replace(/^[\s\S]*hello\r\n/, ''))],
    ['in the second encoding of a header', mail('Content-Transfer-Encoding: 7bit base64', base64)],
    ['in a mailbox', mailbox(3, `${EICAR.slice(0, 30)}=\n${EICAR.slice(30)}`, 'hi=20there\n')],
    [
      'in a mail that looks like a mailbox',
      mailbox(1, `hi\n\nFrom a b\nX: y\n\n${EICAR.slice(0, 30)}=\n${EICAR.slice(30)}`),
    ],
    [
      'in a mail in a mail that looks like a mailbox',
      `From a b\nContent-Type: message/rfc822\n\n${mailbox(1, `QUJD\n\nFrom abcd\nXYZW: YZZZ\n\n${base64}`).replace('quoted-printable', 'base64')}`,
    ],
    [
      'in a page that looks like a mailbox',
      mailbox(1, `hi\n\nFrom a b\nX: y\n\n${EICAR.slice(0, 30)}=\n${EICAR.slice(30)}`).replace(
        'To: d@e.f',
        'Content-Type: text/html',
      ),
    ],
    // The mail within ends with the part that it is in, not with what looks like the start of another mail.
    [
      'in a mail within an open part that looks like a mailbox',
      `From a b\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: message/rfc822\n\n${mailbox(1, `QUJD\n\nFrom abcd\nXYZW: YZZZ\n\n${base64}`).replace('quoted-printable', 'base64')}\n--q--\n`,
    ],
    [
      'behind the end of a boundary that is none',
      `From a b\nX: boundary=q\nContent-Type: message/rfc822\n\n--q\n--q--\n${mailbox(1, `QUJD\n\nFrom abcd\nXYZW: YZZZ\n\n${base64}`).replace('quoted-printable', 'base64')}`,
    ],
    ...['boundary*0=o; boundary*1=k', 'boundary=(c)"ok"', 'boundary=\n "ok"'].map((notation): [string, string] => [
      `behind another boundary than that of ${notation}`,
      `From: a\nX: boundary=q\nContent-Type: multipart/mixed; ${notation}\n\n--ok\nContent-Type: message/rfc822\n\n--q\n\nFrom: b\nContent-Transfer-Encoding: base64\n\nQUJD\n--q--\n${base64}\n--ok--\n`,
    ]),
    ['in lines that end as on old computers', in64(base64).replaceAll('\r\n', '\r')],
  ]
  for (const [name, document] of documents) {
    test(name, () => {
      const { findings } = inspector.inspect(typeof document === 'string' ? Buffer.from(document, 'latin1') : document)
      assert.equal(findings[0]?.id, 'Docvet.Test.Eicar')
    })
  }
})

suite('never clean', () => {
  const reasonOf = (text: string) => inspector.inspect(Buffer.from(text, 'latin1')).obstacle?.reason
  test('an unsupported encoding', () => {
    for (const encoding of ['mac-binhex40', 'x-yenc', '((((((((((base64', 'constructor'])
      assert.equal(reasonOf(mail(`Content-Transfer-Encoding: ${encoding}`, 'x')), 'too_complex', encoding)
  })
  test('an encoding in an overlong header', () => {
    const of = (length: number) => mail(`Content-Transfer-Encoding:${'8bit'.padStart(length)}`, 'x')
    assert.equal(reasonOf(of(VALUE_MAX)), undefined)
    assert.equal(reasonOf(of(VALUE_MAX + 1)), 'too_complex')
  })
})

test('boundaries within each other are followed up to a limit', () => {
  const obstacleOf = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `q${i}`)
    const text = names.map((name) => `Content-Type: multipart/mixed; boundary=${name}\n\n--${name}\n`).join('')
    const lines = names.map((name) => `--${name}\n`).join('')
    const mails = `${lines}\n--q0\n${within('hi=20there\n'.repeat(50))}\n`.repeat(20)
    return inspector.inspect(Buffer.from(`From: a\n${text}${mails}${lines}`)).obstacle?.reason
  }
  assert.equal(obstacleOf(OPEN_MAX), undefined)
  assert.equal(obstacleOf(OPEN_MAX + 1), 'too_complex')
})

test('overlapping parts are read in at most four passes', () => {
  const body = `${'QUJD'.repeat(200)}\n`
  const nested = (parts: number) => `From: a\n${`Content-Transfer-Encoding: base64\n\n${body}`.repeat(parts)}`
  const obstacleOf = (parts: number) => inspector.inspect(Buffer.from(nested(parts))).obstacle?.reason
  // Each extends to the end, so eight add up to four and a half passes.
  assert.equal(obstacleOf(7), undefined)
  assert.equal(obstacleOf(8), 'too_complex')
})

suite('at the limit, and one past it', () => {
  const outcome = (text: string): string | undefined => {
    const { findings, obstacle } = inspector.inspect(Buffer.from(text, 'latin1'))
    return findings.find(({ severity }) => severity !== 'notice')?.id ?? obstacle?.reason
  }
  test('candidate boundary lines', () => {
    const of = (count: number): string => {
      const lines = Array.from({ length: count - 1 }, (_, i) => `--abc${i}\r\n`).join('')
      return in64(`${lines}${base64}`).replace('Content-Type: app', `${lines}Content-Type: app`)
    }
    for (const count of [BOUNDARIES_MAX, BOUNDARIES_MAX + 1, 9]) assert.equal(outcome(of(count)), 'Docvet.Test.Eicar')
  })
  test('headers between the boundary line and the encoding', () => {
    const of = (pad: number): string =>
      in64(`--wxyz\r\n${base64}`).replace('Content-Type: app', `X: ${'a'.repeat(pad)}\r\n--wxyz\r\nContent-Type: app`)
    const head = (text: string): number => text.indexOf('Content-Transfer') - text.indexOf('\n\r\nhello')
    const pad = HEAD_MAX - head(of(0))
    for (const more of [0, 1, 20, 300]) {
      assert.equal(head(of(pad + more)), HEAD_MAX + more)
      assert.equal(outcome(of(pad + more)), 'Docvet.Test.Eicar', `${more}`)
    }
  })
  test('quoted-printable in quoted-printable counts as the same mail', () => {
    const head = 'Content-Transfer-Encoding: quoted-printable\n\n'
    const body = `${EICAR.slice(0, 30)}=\n${EICAR.slice(30)}\n${'x'.repeat(5000)}`
    // Two are read in the mail, and one of them again inside the other.
    for (const [depth, reason] of [
      [2, undefined],
      [3, 'too_complex'],
    ] as const) {
      const { findings, obstacle } = inspector.inspect(Buffer.from(`From: a\n${head.repeat(depth)}${body}`))
      assert.equal(findings[0]?.id, 'Docvet.Test.Eicar')
      assert.equal(obstacle?.reason, reason)
    }
  })
  test('nested comments', () => {
    const of = (depth: number): string =>
      mail(`Content-Transfer-Encoding: ${'('.repeat(depth)}x${')'.repeat(depth)} base64`, base64)
    assert.equal(outcome(of(COMMENTS_DEEP_MAX)), 'Docvet.Test.Eicar')
    assert.equal(inspector.inspect(Buffer.from(of(COMMENTS_DEEP_MAX))).obstacle, null)
    assert.equal(inspector.inspect(Buffer.from(of(COMMENTS_DEEP_MAX + 1))).obstacle?.reason, 'too_complex')
  })
})

test('a part ends at its next boundary, so many parts are read once', () => {
  const part = (boundary: string) =>
    `--${boundary}\r\nContent-Transfer-Encoding: base64\r\n\r\n${'SGks'.repeat(100)}\r\n`
  const other = (boundary: string) => `x --${boundary}\r\n--${boundary}y\r\n`
  const parts = (boundary: string) => `${part(boundary)}${other(boundary)}`.repeat(40)
  const first = 'From: a@example.org\r\nSubject: Hi\r\n\r\n'
  const bytes = Buffer.from(`${first}${parts('x')}--x--\r\n\r\n${parts('z').replaceAll('\r\n', '\r')}--z--\r`)
  const { obstacle, bytesInspected } = inspector.inspect(bytes)
  assert.equal(obstacle, null)
  assert.ok(bytesInspected < bytes.length * 2, `${bytesInspected} of ${bytes.length}`)
})

suite('a part directly after the digits of a long one', () => {
  const digits = (length: number): string => `${'SGks'.repeat(19)}\r\n`.repeat(Math.ceil(length / 78))
  const photo = `--x\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n${digits(30_000)}`
  const head = 'From: a@example.org\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n'

  test('is read once, as the others', () => {
    const costOf = (photos: number): number => {
      const { obstacle, bytesInspected } = inspector.inspect(Buffer.from(`${head}${photo.repeat(photos)}--x--\r\n`))
      assert.equal(obstacle, null)
      return bytesInspected
    }
    assert.ok(costOf(40) < costOf(20) * 2.1)
  })

  for (const [name, more] of [
    ['a line that is no declared boundary', `--wxyz\r\n${base64}`],
    ['a line of the same text inside the headers', `${base64}`],
  ] as const)
    test(`extends past ${name}`, () => {
      const part = `--x\r\nX: a\r\n${digits(HEAD_MAX)}--wxyz\r\nContent-Transfer-Encoding: base64\r\n\r\n${more}\r\n`
      assert.equal(inspector.outcome(Buffer.from(`${head}${photo}${part}--x--\r\n`)), 'Docvet.Test.Eicar')
    })
})

suite('clean', () => {
  const documents: [string, string][] = [
    [
      'parts that are not encoded',
      mail('Content-Transfer-Encoding: 8bit', 'x') + mail('Content-Transfer-Encoding: Binary', 'x'),
    ],
    ['a header without a value', mail('Content-Transfer-Encoding:', 'x')],
    ...['8BITMIME', 'utf-8', 'none', '7bit (comment) 8bit'].map((encoding): [string, string] => [
      `a part whose encoding is ${encoding}`,
      mail(`Content-Transfer-Encoding: ${encoding}`, 'x'),
    ]),
    ['a text about mails', '# MIME\n\nContent-Transfer-Encoding: x-custom\n\nAny word may be there.\n'],
    ['a mailbox', mailbox(100, 'hi=20there\n'.repeat(200))],
    ['a mailbox of mails about mails', mailbox(100, 'A message/rfc822 is=20one.\n'.repeat(200))],
    ['a mailbox of mails that quote types', mailbox(100, 'Content-Type: message/rfc822\n'.repeat(200), 'hi=20there\n')],
    ['a mailbox of forwarded mails', forwarded(60, 'hi=20there\n'.repeat(200))],
    ['a digest', digest(100, 'hi=20there\n'.repeat(200))],
    ['a header without a body', 'Write this:\nContent-Transfer-Encoding: gzip\n'],
    [
      'a list of headers that are signed',
      mail('DKIM-Signature: h=from:to:\r\n content-transfer-encoding:subject; b=x', 'x'),
    ],
  ]
  for (const [name, document] of documents) {
    test(name, () => assert.equal(inspector.inspect(Buffer.from(document, 'latin1')).obstacle, null))
  }
})

test('a part full of padding takes little CPU time', () => {
  const bytes = Buffer.from(in64('=A'.repeat(12_000_000)))
  assertCheap(() => assert.equal(inspector.inspect(bytes).obstacle, null))
})
