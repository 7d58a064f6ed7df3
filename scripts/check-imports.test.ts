import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blank, checkImports } from './check-imports.ts'

const VALID_FILES: Record<string, string> = {
  'server/service.ts': "import { buildApp } from '#app.ts'\nexport const env = process.env",
  'server/app.ts': "import fastify from 'fastify'\nimport { keys } from '#keys/routes.ts'\nimport '#config/config.ts'",
  'server/config/config.ts': "import { plans } from '#usage/quota.ts'",
  'server/banner.ts': "import type { Config } from '#config/config.ts'",
  'server/base/errors.ts': "import { inspect } from 'node:util'",
  'server/base/ids.ts': "import { AppError } from './errors.ts'",
  'server/http/problem.ts': "import type { FastifyReply } from 'fastify'\nimport { AppError } from '#base/errors.ts'",
  'server/storage/database.ts': "import { Kysely } from 'kysely'\nimport { first } from './migrations/first.ts'",
  'server/storage/tables.ts': "import type { Generated } from 'kysely'",
  'server/storage/migrations/first.ts': "import type { Tables } from '#storage/tables.ts'",
  'server/engines/panel.ts': "import { AppError } from '#base/errors.ts'",
  'server/keys/routes.ts':
    "import swagger from '@fastify/swagger'\nimport '#http/problem.ts'\nimport { mint } from './mint.ts'",
  'server/keys/store.ts': "import { sql } from 'kysely'\nimport type { Tables } from '#storage/tables.ts'",
  'server/keys/mint.ts': "import { id } from '#base/ids.ts'",
  'server/keys/mint.test.ts': "import '#app.ts'\nimport '#test/support/suite.ts'\nprocess.env.CI",
  'server/usage/quota.ts': '',
  'inspect/inspect.ts': "import { FORMATS } from './registry.ts'\nimport './rules-engine/scan.ts'",
  'inspect/registry.ts': "import './carve/archives.ts'\nimport { zip } from './formats/zip/zip.ts'",
  'inspect/core/bytes.ts': "import { inflateRawSync } from 'node:zlib'",
  'inspect/codecs/compound.ts': "import { view } from '#inspect/core/bytes.ts'",
  'inspect/detect/sniff.ts': "import '#inspect/core/bytes.ts'\nimport '#inspect/codecs/compound.ts'",
  'inspect/carve/archives.ts': "import { sniff } from '#inspect/detect/sniff.ts'",
  'inspect/formats/gzip.ts': "import { sniff } from '#inspect/detect/sniff.ts'",
  'inspect/formats/zip/zip.ts': "import './records/local.ts'\nimport '#inspect/codecs/compound.ts'",
  'inspect/formats/zip/unpack.ts': '',
  'inspect/formats/zip/records/local.ts': "import '../unpack.ts'",
  'inspect/rules-engine/scan.ts': "import '#inspect/core/bytes.ts'",
  'inspect/testing/inspector.ts': "import { createInspector } from '#inspect/inspect.ts'",
  'inspect/testing/samples.ts': '',
  'inspect/core/bytes.test.ts': "import '#inspect/testing/inspector.ts'",
  'test/support/suite.ts': '',
  'web/src/b.tsx': "import './a.tsx'",
}

/** Violations after adding files to the valid set. */
function check(added: Record<string, string>): string[] {
  const files = new Map(Object.entries({ ...VALID_FILES, ...added }))
  return checkImports(files).map(({ file, line, message }) => `${file}:${line}: ${message}`)
}

test('files within the boundaries have no violation', () => {
  assert.deepEqual(check({}), [])
})

describe('each rule reports its violation', () => {
  const cases: [rule: string, file: string, source: string, expected: RegExp][] = [
    ['../ is forbidden', 'server/storage/migrations/x.ts', "import '../tables.ts'", /:1: '..\/tables.ts': no \.\.\//],
    [
      './ stays in its folder',
      'server/service.ts',
      "import './keys/mint.ts'",
      /leaves its folder: write #keys\/mint\.ts/,
    ],
    ['a relative import ends in .ts', 'server/keys/x.ts', "import './mint'", /does not end in \.ts/],
    ['a # import ends in .ts', 'server/keys/x.ts', "import '#base/ids.js'", /does not end in \.ts/],
    [
      'the file exists',
      'server/keys/x.ts',
      "\nimport './gone.ts'",
      /x\.ts:2: .* server\/keys\/gone\.ts does not exist/,
    ],
    [
      'a test imports only files that exist',
      'server/keys/x.test.ts',
      "import '#test/gone.ts'",
      /test\/gone\.ts does not exist/,
    ],
    ['imports of a test end in .ts', 'server/keys/x.test.ts', "import './mint'", /does not end in \.ts/],
    ['base imports no other folder', 'server/base/x.ts', "import '#usage/quota.ts'", /base imports no other/],
    ['http imports only base', 'server/http/routes.ts', "import '#keys/mint.ts'", /http imports only base/],
    ['storage imports only base', 'server/storage/x.ts', "import '#http/problem.ts'", /storage imports only base/],
    ['engines import only base', 'server/engines/store.ts', "import '#storage/tables.ts'", /engines imports only base/],
    [
      'only routes.ts imports http',
      'server/keys/mint.ts',
      "import '#http/problem.ts'",
      /only routes\.ts may import http/,
    ],
    [
      'only stores import storage',
      'server/keys/routes.ts',
      "import '#storage/tables.ts'",
      /only store\.ts and \*-store\.ts may import/,
    ],
    ['features do not import each other', 'server/keys/x.ts', "import '#usage/quota.ts'", /keys may not import usage/],
    ['features do not import engines', 'server/keys/x.ts', "import '#engines/panel.ts'", /keys may not import engines/],
    [
      'folders do not import files of server/ itself',
      'server/keys/x.ts',
      "import '#app.ts'",
      /must not import files of server/,
    ],
    [
      'other files of server/ do not import from folders',
      'server/x.ts',
      "import '#keys/mint.ts'",
      /may import from folders/,
    ],
    ['inspect does not import the server', 'inspect/core/x.ts', "import '#base/errors.ts'", /nothing of the server/],
    ['core imports only core', 'inspect/core/x.ts', "import '#inspect/detect/sniff.ts'", /core imports only itself$/],
    [
      'types in inspect follow the same rules',
      'inspect/core/x.ts',
      "import type { S } from '#inspect/detect/sniff.ts'",
      /core imports only itself$/,
    ],
    [
      'codecs import only core',
      'inspect/codecs/x.ts',
      "import '#inspect/detect/sniff.ts'",
      /codecs imports only itself, core$/,
    ],
    [
      'detect does not import formats',
      'inspect/detect/x.ts',
      "import '#inspect/formats/gzip.ts'",
      /detect imports only/,
    ],
    [
      'detect does not import carve',
      'inspect/detect/x.ts',
      "import '#inspect/carve/archives.ts'",
      /detect imports only/,
    ],
    [
      'windows imports nothing',
      'inspect/windows/x.ts',
      "import '#inspect/core/bytes.ts'",
      /windows imports only itself$/,
    ],
    [
      'the dashboard has no cycle',
      'web/src/a.tsx',
      "import './b.tsx'",
      /import cycle: web\/src\/b\.tsx → web\/src\/a\.tsx → web\/src\/b\.tsx/,
    ],
    ['carve does not import formats', 'inspect/carve/x.ts', "import '#inspect/formats/gzip.ts'", /carve imports only/],
    [
      'formats do not import carve',
      'inspect/formats/x.ts',
      "import '#inspect/carve/archives.ts'",
      /formats imports only/,
    ],
    [
      'formats do not import the registry',
      'inspect/formats/x.ts',
      "import '#inspect/registry.ts'",
      /formats imports only/,
    ],
    ['a format imports no other format', 'inspect/formats/x.ts', "import './gzip.ts'", /no other format/],
    ['nor a part of one', 'inspect/formats/gzip/x.ts', "import '../zip/unpack.ts'", /no other format/],
    [
      'the rules engine imports only core',
      'inspect/rules-engine/x.ts',
      "import '#inspect/detect/sniff.ts'",
      /rules-engine imports only itself, core$/,
    ],
    ['only tests import testing', 'inspect/registry.ts', "import './testing/samples.ts'", /only tests import testing/],
    ['a new layer has to be declared', 'inspect/extras/x.ts', "import '#inspect/core/bytes.ts'", /extras is no layer/],
    [
      'another layer is imported by #',
      'inspect/carve/x.ts',
      "import '../core/bytes.ts'",
      /write #inspect\/core\/bytes\.ts/,
    ],
    [
      'the own layer is imported by ./',
      'inspect/core/x.ts',
      "import '#inspect/core/bytes.ts'",
      /write a relative path/,
    ],
    [
      'the server imports only entry files',
      'server/app.ts',
      "import '#inspect/core/bytes.ts'",
      /import only inspect\//,
    ],
    ['features do not import inspect', 'server/keys/x.ts', "import '#inspect/detect/sniff.ts'", /may import inspect/],
    [
      'the server does not import tests',
      'server/app.ts',
      "import '#test/support/suite.ts'",
      /must not import from test/,
    ],
    ['rule files do not import Fastify', 'server/keys/mint.ts', "import 'fastify'", /may import Fastify/],
    [
      'rule files do not import Fastify plugins',
      'server/config/config.ts',
      "import '@fastify/swagger'",
      /may import Fastify/,
    ],
    ['only stores import Kysely', 'server/keys/routes.ts', "import { sql } from 'kysely'", /may import Kysely/],
    ['base imports no types of ours', 'server/base/x.ts', "import type { Q } from '#usage/quota.ts'", /base imports/],
    ['http imports no types of features', 'server/http/x.ts', "import type { K } from '#keys/mint.ts'", /only base/],
    [
      'only routes.ts imports types of http',
      'server/keys/x.ts',
      "import type { P } from '#http/problem.ts'",
      /routes\.ts/,
    ],
    [
      'rule files do not import types of Fastify',
      'server/keys/x.ts',
      "import type { F } from 'fastify'",
      /import Fastify/,
    ],
    [
      'inline type imports count as values',
      'server/keys/x.ts',
      "import { type Q } from '#usage/quota.ts'",
      /may not import/,
    ],
    ['a value may be named type', 'server/keys/x.ts', "import type from '#usage/quota.ts'", /may not import/],
    [
      'a type import does not excuse the import after it',
      'server/keys/x.ts',
      "import type { T } from '#storage/tables.ts'\nimport { q } from '#usage/quota.ts'",
      /x\.ts:2: .*may not import/,
    ],
    ['re-exports follow the rules', 'server/keys/x.ts', "export * from '#usage/quota.ts'", /may not import/],
    [
      'imports over several lines follow the rules',
      'server/keys/x.ts',
      "import {\n  a,\n} from '#usage/quota.ts'",
      /x\.ts:3: /,
    ],
    ['dynamic imports follow the rules', 'server/keys/x.ts', "await import('#usage/quota.ts')", /may not import/],
    ['import types follow the rules', 'server/keys/x.ts', 'type Q = import("#usage/quota.ts").Q', /may not import/],
    [
      'only service.ts reads process.env',
      'server/app.ts',
      '\nprocess.env.HOME',
      /app\.ts:2: process\.env is read only/,
    ],
    ['process.env in a template is found', 'server/keys/x.ts', `\`\${process.env.HOME}\``, /process\.env is read only/],
    ['process.env with brackets is found', 'server/keys/x.ts', "process['env']", /process\.env is read only/],
    [
      'env imported by name is found',
      'server/keys/x.ts',
      "import { env } from 'node:process'",
      /process\.env is read only/,
    ],
    ['a file does not import itself', 'server/keys/x.ts', "import './x.ts'", /cycle: keys\/x\.ts → keys\/x\.ts/],
  ]
  for (const [rule, file, source, expected] of cases) {
    test(rule, () => {
      const found = check({ [file]: source })
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0]!, expected)
    })
  }

  test('cycles are reported, type imports included', () => {
    const found = check({
      'server/keys/a.ts': "import './b.ts'",
      'server/keys/b.ts': "import './c.ts'",
      'server/keys/c.ts': "\nimport type { A } from './a.ts'",
    })
    assert.deepEqual(found, ['server/keys/c.ts:2: import cycle: keys/a.ts → keys/b.ts → keys/c.ts → keys/a.ts'])
  })

  test('nor in inspect', () => {
    const found = check({ 'inspect/core/a.ts': "import './b.ts'", 'inspect/core/b.ts': "import './a.ts'" })
    assert.deepEqual(found, [
      'inspect/core/b.ts:1: import cycle: inspect/core/a.ts → inspect/core/b.ts → inspect/core/a.ts',
    ])
  })
})

test('types may be imported from the module that owns them', () => {
  const found = check({
    'server/keys/a.ts': "import type { Q } from '#usage/quota.ts'\nexport type { Panel } from '#engines/panel.ts'",
    'server/keys/b.ts':
      "import type {\n  Tables,\n} from '#storage/tables.ts'\nimport type * as S from '#inspect/detect/sniff.ts'",
    'server/storage/x.ts': "import type { Problem } from '#http/problem.ts'",
  })
  assert.deepEqual(found, [])
})

test('text that only resembles an import is ignored', () => {
  const lines = [
    "// import '#usage/quota.ts'",
    "/* from '#usage/quota.ts' process.env */",
    'const text = "import \'#usage/quota.ts\' process.env"',
    "const sql = `select 1 from '#usage/quota.ts' $" + "{a ? `// ' process.env` : '}'} } { process.env`",
    'const quote = /[\'"`/]/.test(text) && 4 / 2 / 1',
    "const list = Array.from('#usage/quota.ts')",
    'const environment = processes.environment',
  ]
  assert.deepEqual(check({ 'server/keys/x.ts': lines.join('\n') }), [])
  const afterwards = [...lines, "import '#usage/quota.ts'"].join('\n')
  assert.match(check({ 'server/keys/x.ts': afterwards }).join(), /x\.ts:8: .*may not import usage/)
})

test('blanking keeps every position', () => {
  const template = (text: string) => text.replaceAll('%{', '$' + '{')
  assert.equal(
    blank(template("const a = `x %{b({ c: `y` })} z` // e\nconst d = 'f'")),
    template("const a = `  %{b({ c: ` ` })}  `     \nconst d = ' '"),
  )
})
