import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocs } from './check-docs.ts'

const FILES = ['README.md', 'docs/api.md', 'server/scan/scan.ts', 'server/scan/routes.ts', 'inspect/core/bytes.ts']

function check(
  text: string,
  file = 'README.md',
  { architecture = '`server/scan/` `inspect/core/`', development = '`pg`' } = {},
): string[] {
  const documents = new Map([
    ['ARCHITECTURE.md', architecture],
    ['docs/development.md', development],
    ['docs/api.md', '# API\n\n## Error codes\n'],
    [file, text],
  ])
  const source = "const SCANS_MAX = 1; function createScan() {}; log.warn('Worker exited'); 'DOCVET_SMTP_URL'"
  const repository = { documents, files: new Set(FILES), source, npmScripts: new Set(['check']), dependencies: ['pg'] }
  return checkDocs(repository).map(({ line, message }) => `${line}: ${message}`)
}

test('accepts references that exist', () => {
  const lines = [
    '[API](docs/api.md#error-codes), [site](https://example.com/x.md)',
    '`scan/scan.ts` `scan/scan` `server/scan/` `routes.ts` `core/bytes.ts` `npm run check`',
    '`SCANS_MAX` `createScan` `DOCVET_SMTP_URL_FILE` `"Worker exited"`',
    '`application/pdf` `/api/v1/scan` `data/outbox/` `image/*` `*.yar`',
    '```text\nscan/scan   throttle 429 → reserve 402, http/1.1\n```',
    '```json\n{ "scan/gone": 1 }\n```',
  ]
  assert.deepEqual(check(lines.join('\n')), [])
  assert.deepEqual(check('[README](../README.md)', 'docs/x.md'), [])
})

test('reports folders that ARCHITECTURE.md does not list', () => {
  const architecture = '`inspect/core/`'
  assert.deepEqual(check('', 'README.md', { architecture }), ['1: server/scan/ is not listed'])
})

test('reports dependencies that docs/development.md does not list', () => {
  assert.deepEqual(check('', 'README.md', { development: '' }), ['1: pg is not listed'])
})

for (const [name, text, expected] of [
  ['a link to a missing file', '[x](docs/gone.md)', '1: link to docs/gone.md: docs/gone.md does not exist'],
  ['a missing heading', '[x](docs/api.md#x)', '1: link to docs/api.md#x: docs/api.md has no heading #x'],
  ['a missing path', 'a\n`scan/gone.ts`', '2: scan/gone.ts does not exist'],
  ['a missing folder', '`server/letters/`', '1: server/letters/ does not exist'],
  ['a missing file name', '`doors.ts`', '1: no file is named doors.ts'],
  ['a missing path in a flow', '```text\nscan/gone   reserve\n```', '2: scan/gone does not exist'],
  ['a missing constant', '`COMING_SETTINGS`', '1: COMING_SETTINGS does not occur in the source'],
  ['a missing function', '`createDesk`', '1: createDesk does not occur in the source'],
  ['a missing log message', '`"Child ended"`', '1: "Child ended" does not occur in the source'],
  ['a missing npm script', '`npm run gone`', '1: package.json has no script "gone"'],
] as const) {
  test(`reports ${name}`, () => assert.deepEqual(check(text), [expected]))
}
