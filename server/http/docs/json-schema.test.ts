/** Descriptions and examples from schemas, and HTML templates. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonSchema } from '#http/openapi/schemas.ts'
import { html, toText } from './html.ts'
import { exampleOf, fieldsOf, limitsOf, typeWords } from './json-schema.ts'
import { json, jsonText } from './prose.ts'

describe('a schema in words and examples', () => {
  test('types', () => {
    const uuidOrNull = { anyOf: [{ type: 'null' }, { type: 'string', format: 'uuid' }] }
    for (const [schema, expected] of [
      [{ type: 'string' }, 'string'],
      [{ type: 'integer', format: 'int64' }, 'integer (int64)'],
      [uuidOrNull, 'string (uuid) or null'],
      [{ type: ['null', 'string'] }, 'string or null'],
      [{ type: ['string', 'null'], format: 'date-time' }, 'string (date-time) or null'],
      [{ type: 'array', items: { type: 'object', properties: {} } }, 'array of object'],
      [{ type: 'string', enum: ['clean', 'infected'] }, '"clean" or "infected"'],
      [{ enum: Array(13).fill(1) }, `${'1 or '.repeat(12)}…`],
      [{ type: 'string', format: 'binary' }, 'file'],
      [{}, 'anything'],
    ] satisfies [JsonSchema, string][]) {
      assert.equal(typeWords(schema), expected, JSON.stringify(schema))
    }
  })

  test('limits', () => {
    for (const [schema, expected] of [
      [{ minLength: 1, maxLength: 4000 }, ['1 to 4,000 characters']],
      [{ minimum: 0 }, ['at least 0']],
      [{ maximum: 5 }, ['at most 5']],
      [{ minItems: 2, maxItems: 2 }, ['2 items']],
      [{ pattern: '^a$' }, ['matches `^a$`']],
      [{}, []],
    ] satisfies [JsonSchema, string[]][]) {
      assert.deepEqual(limitsOf(schema), expected, JSON.stringify(schema))
    }
  })

  test('fields, nested ones under their path', () => {
    const schema = {
      required: ['engines'],
      properties: {
        engines: { type: 'array', items: { required: ['name'], properties: { name: { type: 'string' } } } },
        owner: { required: ['id'], properties: { id: { properties: { part: {} } } } },
      },
    }
    assert.deepEqual(
      fieldsOf(schema).map(({ name, required }) => [name, required]),
      [
        ['engines', true],
        ['engines[].name', true],
        ['owner', false],
        ['owner.id', true],
        ['owner.id.part', false],
      ],
    )
  })

  test('examples: the given one, otherwise a generated one', () => {
    const schema = {
      type: 'object',
      properties: {
        given: { type: 'string', examples: ['x'] },
        state: { type: 'string', enum: ['active', 'revoked'] },
        at: { anyOf: [{ type: 'null' }, { type: 'string', format: 'date-time' }] },
        count: { type: 'integer', minimum: 3 },
        flags: { type: 'array', items: { type: 'boolean' } },
        nothing: { type: 'null' },
      },
    }
    assert.deepEqual(exampleOf(schema), {
      given: 'x',
      state: 'active',
      at: '2026-11-15T09:30:00.000Z',
      count: 3,
      flags: [true],
      nothing: null,
    })
  })
})

describe('HTML templates', () => {
  test('escape every value except other templates', () => {
    const inner = html`<b>${'<&>'}</b>`
    assert.equal(
      toText(html`<a title="${`"'`}">${inner}${[1, null, undefined, false, ['<', inner]]}</a>`),
      '<a title="&quot;&#39;"><b>&lt;&amp;&gt;</b>1&lt;<b>&lt;&amp;&gt;</b></a>',
    )
  })

  test('show JSON verbatim', () => {
    const value = { a: [1, '<', { b: null }, [], {}], c: true, d: undefined }
    assert.equal(
      toText(json(value))
        .replace(/<[^>]*>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<'),
      jsonText(value),
    )
  })
})
