/** Forms that parsers read differently, and harmless variants of the same features. */

import { BOUNDARY as B, bytes, END, FIELD, FILE, type FormRow, HIDDEN, part, row, SECOND, SHOWN, TYPE } from './row.ts'

const MALFORMED = 'malformed_multipart'
const GOOD = part(FILE)
const FORM = `${GOOD}${END}\r\n`
const hidden = part(SECOND, HIDDEN)
/** A form with only this file part. */
const file = (head: string, content = SHOWN) => `${part(head, content)}${END}\r\n`
/** A form with a field before the file. */
const field = (head: string, value = HIDDEN) => `${part(head, value)}${FORM}`
/** A file with this content. */
const content = (data: string) => file(FILE, data)
const disposition = (parameters: string) => `Content-Disposition: form-data; ${parameters}`
const reboundary = (boundary: string) => FORM.replaceAll(B, boundary)
const embedded = (lineEnd: string) => `${SHOWN}${lineEnd}--${B}${lineEnd}${SECOND}${lineEnd}${lineEnd}${HIDDEN}`

const FRAMING: FormRow[] = [
  row('one file', 'clean', FORM),
  row('a line break before the form', 'clean', `\r\n${FORM}`),
  row('several line breaks before and after it', 'clean', `\r\n\r\n\r\n${FORM}\r\n\r\n`),
  row('no line break at the end', 'clean', `${GOOD}${END}`),
  row('text before the form', MALFORMED, `This is a form.\r\n${FORM}`),
  row('a bare line feed before the form', MALFORMED, `\n${FORM}`),
  row('a bare carriage return before the form', MALFORMED, `\r${FORM}`),
  row('a space before the form', MALFORMED, ` ${FORM}`),
  row('a part after a bare line feed in the preamble', MALFORMED, `x\n${hidden}${FORM}`),
  row('a part with line feeds in the preamble', MALFORMED, `x\n${hidden.replaceAll('\r\n', '\n')}\r\n${FORM}`),
  row('a part after a bare carriage return in the preamble', MALFORMED, `x\r${hidden}${FORM}`),
  row('text after the form', MALFORMED, `${FORM}The end.\r\n`),
  row('a part after the end', MALFORMED, `${FORM}${hidden}${END}\r\n`),
  row('a part after the end, without another end', MALFORMED, `${FORM}${hidden}`),
  row('a part after the end and an empty line', MALFORMED, `${FORM}\r\n${hidden}${END}\r\n`),
  row('a part after the end, on its line', MALFORMED, `${GOOD}${END}${hidden}${END}`),
  row('a bare line feed after the form', MALFORMED, `${GOOD}${END}\n`),
  row('an end before the first part', MALFORMED, `${END}\r\n${FORM}`),
  row('a closed form cut off after its first dash', MALFORMED, `${GOOD}--${B}-`),
  row('no closing boundary', MALFORMED, GOOD),
  row('the end on the line of the content', MALFORMED, `--${B}\r\n${FILE}\r\n\r\n${SHOWN}${END}\r\n`),
  row('spaces after a boundary', MALFORMED, FORM.replace(`${B}\r\n`, `${B}  \r\n`)),
  row('a tab after a boundary', MALFORMED, FORM.replace(`${B}\r\n`, `${B}\t\r\n`)),
  row('a space after the closing boundary', MALFORMED, `${GOOD}${END} \r\n`),
  row('padding after a boundary inside the content', MALFORMED, content(embedded('\r\n').replace(B, `${B} `))),
  row('three dashes after the last boundary', MALFORMED, `${GOOD}${END}-\r\n`),
  row('one dash after a boundary', MALFORMED, FORM.replace(`${B}\r\n`, `${B}-\r\n`)),
  row('no line break before the next part', MALFORMED, `--${B}\r\n${FIELD}\r\n\r\n${FORM}`),
  row('an empty part before the file', MALFORMED, `--${B}\r\n${FORM}`),
  row('an empty part with an empty line', MALFORMED, `--${B}\r\n\r\n${FORM}`),
]

const CONTENT: FormRow[] = [
  row('a boundary after a bare line feed in the content', MALFORMED, content(embedded('\n'))),
  row('a boundary after a bare line feed, a part with CR LF', MALFORMED, content(`${SHOWN}\n${hidden}`)),
  row('a boundary after a bare carriage return in the content', MALFORMED, content(embedded('\r'))),
  row('an end after a bare line feed, then a part', MALFORMED, content(`${SHOWN}\n${END}\n${hidden}`)),
  row('a boundary after LF CR', MALFORMED, content(`${SHOWN}\n\r--${B}\n\r${SECOND}\n\r\n\r${HIDDEN}`)),
  row('a boundary after two carriage returns', MALFORMED, content(`${SHOWN}\r\r--${B}\r\n${SECOND}\r\n\r\n${HIDDEN}`)),
  row('a boundary in the middle of a line', MALFORMED, content(`${SHOWN} --${B}\r\n${SECOND}\r\n\r\n${HIDDEN}`)),
  row('a boundary after another dash', MALFORMED, content(`${SHOWN}\r\n---${B}\r\n${SECOND}\r\n\r\n${HIDDEN}`)),
  row('a boundary at once after the headers', MALFORMED, content(`--${B}\r\n${SECOND}\r\n\r\n${HIDDEN}`)),
  row('a bare line feed and a boundary after the headers', MALFORMED, content(`\n--${B}\n${SECOND}\n\n${HIDDEN}`)),
  row('a boundary after a bare line feed in a field', MALFORMED, field(FIELD, embedded('\n'))),
  row('a longer boundary in the content', MALFORMED, content(`${SHOWN}\r\n--${B}X\r\n${SECOND}\r\n\r\n${HIDDEN}`)),
  row('a longer boundary after a bare line feed', MALFORMED, content(`${SHOWN}\n--${B}X\n${SECOND}\n\n${HIDDEN}`)),
  row('a shorter boundary in the content', 'clean', content(`${SHOWN}\r\n--${B.slice(0, -1)}\r\n${HIDDEN}`)),
  row('the boundary without its dashes', 'clean', content(`${SHOWN}\r\n${B}\r\n-${B}\r\n`)),
  row('content that begins with CR LF', 'clean', content(`\r\n\r\n${SHOWN}`)),
  row('content that ends with CR LF', 'clean', content(`${SHOWN}\r\n\r\n`)),
  row('content that begins and ends with CR', 'clean', content(`\r${SHOWN}\r`)),
  row('content that begins and ends with LF', 'clean', content(`\n${SHOWN}\n`)),
  row('content of one CR LF', 'clean', content('\r\n')),
  row('content of dashes', 'clean', content('\r\n--\r\n--')),
  row('content that is like headers', 'clean', content(`${SECOND}\r\n\r\n${HIDDEN}`)),
  row('no content', 'empty_file', content('')),
  ...[4_095, 4_096, 5_119, 5_120, 5_121, 8_191, 8_192, 16_384, 65_535, 65_536, 65_537].map((length) =>
    row(`${length} bytes of lines`, 'clean', content('The quick brown fox.\r\n'.repeat(4_000).slice(0, length))),
  ),
  // The CR LF before the end is at the edge of the buffers of PHP, Go and others.
  ...[4_096, 5_120, 8_192, 65_536].flatMap((edge) =>
    [-2, -1, 0, 1, 2].map((shift) => {
      const around = bytes(content('')).length - `${END}\r\n`.length
      return row(
        `an end at ${edge} ${shift < 0 ? '' : '+'}${shift}`,
        'clean',
        content('x y\n'.repeat(20_000).slice(0, edge + shift - around)),
      )
    }),
  ),
]

const DISPOSITIONS: FormRow[] = [
  row('two dispositions', MALFORMED, file(`${disposition('name="note"')}\r\n${FILE}`)),
  row('two dispositions of a field', MALFORMED, field(`${FIELD}\r\n${SECOND}`)),
  row('two names', MALFORMED, file(disposition('name="note"; name="file"; filename="a.txt"'))),
  row('two file names', MALFORMED, file(disposition('name="file"; filename="a.txt"; filename="b.txt"'))),
  row('name*', MALFORMED, file(disposition(`name*=utf-8''file; filename="a.txt"`))),
  row('filename* alone', 'clean', file(disposition(`name="file"; filename*=UTF-8''a.txt`))),
  row(
    'filename and an equal filename*',
    'clean',
    file(disposition(`name="file"; filename="a.txt"; filename*=UTF-8''a.txt`)),
  ),
  row(
    'filename and another filename*',
    MALFORMED,
    file(disposition(`name="file"; filename="a.txt"; filename*=UTF-8''b.hta`)),
  ),
  row('a field with filename*', 'missing_file', field(disposition(`name="note"; filename*=UTF-8''b.txt`))),
  row('a field with filename*0', MALFORMED, field(disposition('name="note"; filename*0="b.txt"'))),
  row('a field with filename*0*', MALFORMED, field(disposition(`name="note"; filename*0*=utf-8''b.txt`))),
  row('a field with a file name', 'missing_file', field(disposition('name="note"; filename="b.txt"'))),
  row(
    'a field with a file name after the file',
    'too_many_files',
    `${GOOD}${part(disposition('name="note"; filename="b.txt"'), HIDDEN)}${END}`,
  ),
  row('a field with an empty file name', 'missing_file', field(disposition('name="note"; filename=""'))),
  row('a field with a file name without a value', MALFORMED, field(disposition('name="note"; filename'))),
  row('a field with a space before the equals sign', MALFORMED, field(disposition('name="note"; filename ="b.txt"'))),
  row('a field with a space after the equals sign', MALFORMED, field(disposition('name="note"; filename= "b.txt"'))),
  row('a field with a file name in single quotes', 'missing_file', field(disposition(`name="note"; filename='b.txt'`))),
  row('a file name in a name after a backslash', MALFORMED, field(disposition('name="note\\"; filename=\\"b.txt"'))),
  row('a file name in a name', MALFORMED, field(disposition('name="note; filename=b.txt"'))),
  row('a file name in another parameter', MALFORMED, field(disposition('name="note"; x="; filename=b.txt"'))),
  row(
    'a file name in another parameter after a backslash',
    MALFORMED,
    field(disposition('name="note"; x="\\"; filename=\\"b.txt"')),
  ),
  row('a file name after a comma', MALFORMED, field(disposition('name="note", filename="b.txt"'))),
  row('a file name after a tab', MALFORMED, field(disposition('name="note";\tfilename="b.txt"'))),
  row('a file name in a folded line', MALFORMED, field(`${FIELD};\r\n filename="b.txt"`)),
  row('a file name in a line folded with a line feed', MALFORMED, field(`${FIELD};\n filename="b.txt"`)),
  row('a quote in a file name, escaped', 'clean', file(disposition('name="file"; filename="a\\"b.txt"'))),
  row('a quote in a file name, as browsers write it', 'clean', file(disposition('name="file"; filename="a%22b.txt"'))),
  row(
    'a file name in a file name',
    MALFORMED,
    file(disposition('name="file"; filename="a.hta\\"; filename=\\"b.txt"')),
  ),
  row('a quote before the extension', 'clean', file(disposition('name="file"; filename="a.hta\\".txt"'))),
  row('a path in a file name, not escaped', 'clean', file(disposition('name="file"; filename="C:\\docs\\a.txt"'))),
  row(
    'a line end in a file name, as browsers write it',
    'clean',
    file(disposition('name="file"; filename="a.hta%0D%0A.txt"')),
  ),
  row('an encoded word', 'clean', file(disposition('name="file"; filename="=?utf-8?B?YS5odGE=?="'))),
  row('a path in a file name', 'clean', file(disposition('name="file"; filename="C:\\\\docs\\\\a.txt"'))),
  row('a semicolon in a file name', 'clean', file(disposition('name="file"; filename="a;b.txt"'))),
  row('NUL in a file name', MALFORMED, file(disposition('name="file"; filename="a.hta\0.txt"'))),
  row('NUL in a name', MALFORMED, file(disposition('name="file\0"; filename="a.txt"'))),
  row('an escaped letter in a name', MALFORMED, file(disposition('name="fi\\le"; filename="a.txt"'))),
  row('unquoted values', 'clean', file(disposition('name=file; filename=a.txt'))),
  row('parameters in another order', 'clean', file('Content-Disposition: form-data; filename="a.txt"; name="file"')),
  row('a disposition in capitals', 'clean', file('CONTENT-DISPOSITION: FORM-DATA; NAME="file"; FILENAME="a.txt"')),
  row(
    'a disposition of an attachment',
    MALFORMED,
    field('Content-Disposition: attachment; name="note"; filename="b.txt"'),
  ),
  row('a part without a name', MALFORMED, field('Content-Disposition: form-data; filename="b.txt"')),
  row('a part without a name or file name', MALFORMED, field('Content-Disposition: form-data')),
  row('an empty name', MALFORMED, field(disposition('name=""; filename="b.txt"'))),
  row('file twice', 'too_many_files', `${GOOD}${hidden}${END}`),
  row(
    'file and file[]',
    'too_many_files',
    `${GOOD}${part(disposition('name="file[]"; filename="b.txt"'), HIDDEN)}${END}`,
  ),
  row('file[] alone', 'missing_file', file(disposition('name="file[]"; filename="a.txt"'))),
  row('File', 'missing_file', file(disposition('name="File"; filename="a.txt"'))),
  row('file with a space', 'missing_file', file(disposition('name=" file"; filename="a.txt"'))),
  row('file as a field', 'missing_file', field(disposition('name="file"'))),
  row(
    'a size and a date',
    'clean',
    file(disposition('filename="a.txt"; modification-date="Tue, 17 Nov 2026 09:00:00 GMT"; size=29; name="file"')),
  ),
]

const HEADERS: FormRow[] = [
  row('a field of octets without a file name', MALFORMED, field(`${FIELD}\r\nContent-Type: application/octet-stream`)),
  row(
    'a field of octets after the file',
    MALFORMED,
    `${GOOD}${part(`${FIELD}\r\nContent-Type: application/octet-stream`, HIDDEN)}${END}`,
  ),
  row('a field of JSON', MALFORMED, field(`${FIELD}\r\nContent-Type: application/json`)),
  row('a field of HTML', MALFORMED, field(`${FIELD}\r\nContent-Type: text/html`)),
  row('a field of a type that begins like text/plain', MALFORMED, field(`${FIELD}\r\nContent-Type: text/plainly`)),
  row('a field of an invalid type', MALFORMED, field(`${FIELD}\r\nContent-Type: text`)),
  row('a field of plain text', 'clean', field(`${FIELD}\r\nContent-Type: text/plain`)),
  row('a field of plain text in UTF-8', 'clean', field(`${FIELD}\r\nContent-Type: text/plain; charset=UTF-8`)),
  row('a field of plain text in quoted UTF-8', 'clean', field(`${FIELD}\r\nContent-Type: text/plain;charset="utf-8"`)),
  row('a field of plain text with a name', MALFORMED, field(`${FIELD}\r\nContent-Type: text/plain; name="b.txt"`)),
  row(
    'a field of plain text in two charsets',
    MALFORMED,
    field(`${FIELD}\r\nContent-Type: text/plain; charset=a; charset=b`),
  ),
  row('an empty type of a field', 'clean', field(`${FIELD}\r\nContent-Type:`)),
  row(
    'the password of octets',
    MALFORMED,
    field(`${disposition('name="password"')}\r\nContent-Type: application/octet-stream`),
  ),
  row('two types', MALFORMED, field(`${FIELD}\r\nContent-Type: text/plain\r\nContent-Type: application/octet-stream`)),
  row(
    'a nested form',
    MALFORMED,
    field(`${FIELD}\r\nContent-Type: multipart/mixed; boundary=c`, `--c\r\n${SECOND}\r\n\r\n${HIDDEN}\r\n--c--`),
  ),
  row(
    'a nested form as the file',
    MALFORMED,
    file(`${FILE}\r\nContent-Type: multipart/mixed; boundary=c`, `--c\r\n${SECOND}\r\n\r\n${HIDDEN}\r\n--c--`),
  ),
  row('base64', MALFORMED, file(`${FILE}\r\nContent-Transfer-Encoding: base64`, btoa(HIDDEN))),
  row('quoted-printable', MALFORMED, file(`${FILE}\r\nContent-Transfer-Encoding: quoted-printable`, 'a=3Db')),
  row('an unknown transfer encoding', MALFORMED, file(`${FILE}\r\nContent-Transfer-Encoding: x-uuencode`)),
  row('binary', 'clean', file(`${FILE}\r\nContent-Transfer-Encoding: binary`)),
  row('a compressed part', MALFORMED, file(`${FILE}\r\nContent-Encoding: gzip`)),
  row('a deflated part', MALFORMED, file(`${FILE}\r\nContent-Encoding: deflate`)),
  row('the right length', 'clean', file(`${FILE}\r\nContent-Length: ${SHOWN.length}`)),
  row('a length that is too small', MALFORMED, file(`${FILE}\r\nContent-Length: 5`)),
  row(
    'a length that reaches into the next part',
    MALFORMED,
    `${part(`${FILE}\r\nContent-Length: ${SHOWN.length + 60}`)}${part(FIELD, HIDDEN)}${END}`,
  ),
  row(
    'a length of a field that covers the file',
    MALFORMED,
    field(`${FIELD}\r\nContent-Length: ${HIDDEN.length + GOOD.length}`),
  ),
  row('two lengths', MALFORMED, file(`${FILE}\r\nContent-Length: ${SHOWN.length}\r\nContent-Length: 5`)),
  row('a length with a sign', MALFORMED, file(`${FILE}\r\nContent-Length: +${SHOWN.length}`)),
  row('no headers', MALFORMED, field('')),
  row('only a type', MALFORMED, field('Content-Type: application/octet-stream')),
  row('headers with line feeds', MALFORMED, FORM.replace(`${FILE}\r\n\r\n`, `${FILE}\n\n`)),
  row('a header after a bare line feed', MALFORMED, field(`X: y\n${SECOND}\r\n${FIELD}`)),
  row('a header after a bare carriage return', MALFORMED, field(`X: y\r${SECOND}\r\n${FIELD}`)),
  row('a blank line of line feeds in the headers', MALFORMED, file(`X: y\n\n${HIDDEN}\r\n${FILE}`)),
  row('a folded header', MALFORMED, field(`${FIELD}\r\nX: y\r\n ${SECOND}`)),
  row('a boundary as the name of a header', MALFORMED, file(`${FILE}\r\n--${B}: x`)),
  row('a boundary in a header', MALFORMED, file(`${FILE}\r\nX: --${B}`)),
  row('a boundary in the file name', MALFORMED, file(disposition(`name="file"; filename="--${B}"`))),
  row('a space before the colon', MALFORMED, field(`${FIELD}\r\nContent-Type : application/octet-stream`)),
  row('a space before a header', MALFORMED, field(` ${SECOND}\r\n${FIELD}`)),
  row('a header without a colon', MALFORMED, field(`${FIELD}\r\nx`)),
  row('a header name of 8 bits', MALFORMED, field(`${FIELD}\r\nX\xfc: y`)),
  row('NUL in a header', MALFORMED, field(`${FIELD}\r\nX: a\0b`)),
  row('NUL before a header', MALFORMED, field(`\0${SECOND}\r\n${FIELD}`)),
  row('a long header', 'clean', file(`${FILE}\r\nX: ${'y'.repeat(4_000)}`)),
  row('a longer header', MALFORMED, file(`${FILE}\r\nX: ${'y'.repeat(5_000)}`)),
  row('a very long header before the disposition', MALFORMED, field(`X: ${'y'.repeat(70_000)}\r\n${SECOND}`)),
  row('a header twice', 'clean', file(`${FILE}\r\nX: a\r\nX: b`)),
  row('a mail as the file', 'clean', file(`${FILE}\r\nContent-Type: text/plain; name="b.txt"`)),
]

const of = (rest: string) => `multipart/form-data; ${rest}`
const inside = (boundary: string) =>
  content(`${SHOWN}\r\n--${boundary}\r\n${SECOND}\r\n\r\n${HIDDEN}\r\n--${boundary}--`)

const TYPES: FormRow[] = [
  row('a quoted boundary', 'clean', FORM, of(`boundary="${B}"`)),
  row(
    'a quoted boundary with special characters',
    'clean',
    reboundary("a'()+_,-./:=?z"),
    of(`boundary="a'()+_,-./:=?z"`),
  ),
  row('a quoted boundary with a space', 'clean', reboundary('a b'), of('boundary="a b"')),
  row('a boundary with equals signs', 'clean', reboundary('===17==='), of('boundary====17===')),
  row(
    'a boundary with an unquoted comma',
    MALFORMED,
    reboundary('a,b').replace(SHOWN, `${SHOWN}\r\n--a\r\n${SECOND}\r\n\r\n${HIDDEN}\r\n--a--`),
    of('boundary=a,b'),
  ),
  row('a boundary with unquoted slashes and colons', 'clean', reboundary('a/b:c?d'), of('boundary=a/b:c?d')),
  row('a boundary with unquoted punctuation', 'clean', reboundary("a'+_-.z"), of("boundary=a'+_-.z")),
  row('a boundary that begins with a space', 'clean', reboundary(' a'), of('boundary=" a"')),
  row('a boundary with unquoted parentheses', 'clean', reboundary('a(b)c'), of('boundary=a(b)c')),
  row('a boundary of 70 characters', 'clean', reboundary('z'.repeat(70)), of(`boundary=${'z'.repeat(70)}`)),
  row('a boundary of 71 characters', MALFORMED, reboundary('z'.repeat(71)), of(`boundary=${'z'.repeat(71)}`)),
  row('a quoted boundary with an escape', MALFORMED, reboundary('form'), of('boundary="fo\\rm"')),
  row('two boundaries', MALFORMED, inside('c'), of(`boundary=${B}; boundary=c`)),
  row('two boundaries, the other first', MALFORMED, inside('c'), of(`boundary=c; boundary=${B}`)),
  row('boundary*', MALFORMED, inside('c'), of(`boundary=${B}; boundary*=utf-8''c`)),
  row('boundary*0', MALFORMED, inside('cd'), of(`boundary=${B}; boundary*0=c; boundary*1=d`)),
  row('a parameter whose name ends with boundary', MALFORMED, inside('c'), of(`xboundary=c; boundary=${B}`)),
  row('a parameter whose value is a boundary', MALFORMED, inside('c'), of(`x="boundary=c"; boundary=${B}`)),
  row('a charset that is a boundary', MALFORMED, inside('c'), of(`charset="; boundary=c"; boundary=${B}`)),
  row('a boundary in a later parameter', MALFORMED, inside('c'), of(`boundary=${B}; x="; boundary=c"`)),
  row('a charset before the boundary', 'clean', FORM, of(`charset=utf-8; boundary=${B}`)),
  row('a charset after the boundary', 'clean', FORM, of(`boundary=${B};charset=UTF-8`)),
  row('BOUNDARY', 'clean', FORM, of(`BOUNDARY=${B}`)),
  row('no boundary', MALFORMED, FORM, 'multipart/form-data'),
  row('a space before the equals sign', MALFORMED, FORM, of(`boundary =${B}`)),
  row('a semicolon at the end', 'clean', FORM, of(`boundary=${B};`)),
  row('another text after the quoted boundary', MALFORMED, FORM, of(`boundary="${B}"x`)),
  row('a boundary that ends with a space', MALFORMED, reboundary('a '), of('boundary="a "')),
  row('another boundary than declared', MALFORMED, reboundary('c'), TYPE),
]

export const HOSTILE_FORMS: readonly FormRow[] = [...FRAMING, ...CONTENT, ...DISPOSITIONS, ...HEADERS, ...TYPES]
