import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FastifyInstance, fastify } from 'fastify'
import { Type } from 'typebox'
import { compileLate } from './late-schemas.ts'

const Query = Type.Object({ a: Type.Optional(Type.String({ maxLength: 1 })) }, { additionalProperties: false })
const Answer = Type.Object({ ok: Type.Boolean() })

async function started(second: { querystring?: unknown; response?: unknown }) {
  const server = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } })
  const { compileAll } = compileLate(server)
  const handler = async () => ({ ok: true, hidden: 1 })
  await server.register(async (scope: FastifyInstance) => {
    scope.get('/scope', { schema: { querystring: Query, response: { 200: Answer } } }, handler)
  })
  server.get('/first', { schema: { querystring: Query, response: { 200: Answer } } }, handler)
  server.get('/second', { schema: second }, handler)
  await server.ready()
  return { compileAll, get: (url: string) => server.inject({ method: 'GET', url }) }
}

describe('schemas that are compiled late', () => {
  it('check and shape every request, the first and the later ones', async () => {
    const { get } = await started({ querystring: Query, response: { 200: Answer } })
    for (const path of ['/scope', '/first', '/second', '/first', '/second']) {
      assert.deepEqual((await get(`${path}?a=1`)).json(), { ok: true })
      for (const query of ['a=12', 'b=1']) assert.equal((await get(`${path}?${query}`)).statusCode, 400, path)
      assert.match((await get(`${path}?a=12`)).body, /querystring\/a must NOT have more than 1 characters/)
      assert.equal((await get(path)).statusCode, 200)
    }
  })

  it('fail a request if they are wrong, and all together', async () => {
    for (const schema of [{ querystring: { type: 'nothing' } }, { response: { 200: { $ref: '#/missing' } } }]) {
      const { get, compileAll } = await started(schema)
      assert.equal((await get('/second')).statusCode, 500)
      assert.throws(compileAll, JSON.stringify(schema))
      assert.equal((await get('/first')).statusCode, 200)
    }
  })

  it('pass all together if they are right', async () => {
    const { compileAll } = await started({ querystring: Query, response: { 200: Answer } })
    compileAll()
  })
})
