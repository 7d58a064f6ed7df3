/** Fetches that others cannot wait for. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { createSample } from '#engines/sample.ts'
import { isTemporaryFetch } from '#scan/fetch-failed.ts'
import { urlSource } from './source.ts'

let respond: (response: ServerResponse) => void = () => {}
const files = createServer((_request, response) => respond(response))
let port = 0
before(async () => {
  files.listen(0, '127.0.0.1')
  await once(files, 'listening')
  port = (files.address() as AddressInfo).port
})
after(() => {
  files.closeAllConnections()
  files.close()
})

for (const [when, isBegun, reason] of [
  ['before the headers', false, 'no response in time'],
  ['in the document', true, 'too slow'],
] as const)
  test(`a fetch that is asked to end ${when} has failed, and may be repeated`, async () => {
    const hurry = new AbortController()
    const asked = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    respond = (response) => {
      if (isBegun) response.write('Dear')
      asked.resolve()
    }
    const http = createOutboundHttp({ rules: createOutboundRules([{ network: '127.0.0.1', port }]) })
    const url = `http://127.0.0.1:${port}/`
    const source = urlSource({ url }, http, new AbortController().signal, { hurry: hurry.signal })
    const fetched = source.receive({ createSample, onFileStart: () => begun.resolve() })
    await (isBegun ? begun : asked).promise
    hurry.abort()
    await assert.rejects(fetched, (error: Error) => {
      assert.match(error.message, new RegExp(reason))
      return isTemporaryFetch(error) === true
    })
  })
