import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderClientTypes } from './client-types.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

test('renders schemas and operations as types', () => {
  const document = {
    paths: {
      '/things/{id}': {
        put: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
            { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          ],
          requestBody: { required: true, ...json({ $ref: '#/components/schemas/Thing' }) },
          responses: { '201': json({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }), '400': {} },
        },
        delete: { responses: { '204': {} } },
      },
    },
    components: {
      schemas: {
        Kind: { type: 'string', enum: ['a', 'b'] },
        Thing: {
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { $ref: '#/components/schemas/Kind' },
            at: { type: ['string', 'null'] },
            either: { anyOf: [{ type: 'number' }, { const: 'none' }] },
            'odd-name': { type: 'object' },
            any: {},
          },
        },
      },
    },
  }
  const [, body = ''] = renderClientTypes(JSON.stringify(document)).split('overwritten. */\n\n')
  assert.equal(
    body.replaceAll('export ', ''),
    `type Kind = 'a' | 'b'

interface Thing {
  kind: Kind
  at?: string | null
  either?: number | 'none'
  'odd-name'?: Readonly<Record<string, unknown>>
  any?: unknown
}

interface Operations {
  'PUT /things/{id}': {
    path: { id: string }
    query?: { limit?: number }
    body: Thing
    response: readonly (Thing)[]
  }
  'DELETE /things/{id}': {
    response: undefined
  }
}
`,
  )
})
